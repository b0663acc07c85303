import {
  apply,
  classes,
  create,
  type Fields,
  get,
  mergePatch,
  patch,
  remove,
  rows,
  strategicPatch,
  update,
} from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

interface Kind {
  readonly collection: string;
  readonly kind: string;
  readonly fields: Fields;
}

const own = ({ collection }: Kind) => `${collection}/o-{id}`;

const object = ({ kind, fields }: Kind, more: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: "storage.k8s.io/v1",
  kind,
  metadata: { name: "o-{id}", ...metadata },
  ...fields,
  ...more,
});

const made = (of: Kind, more: Fields = {}): Step => create(of.collection, object(of, more));
const merged = (of: Kind, fields: unknown): Step => patch(own(of), mergePatch, fields);

function creations(of: Kind, table: Readonly<Record<string, Fields>>): Sequence[] {
  const steps = Object.entries(table).map(([name, more]) => [name, [made(of, more), get(own(of))]] as const);
  return rows(`a ${of.kind} with`, Object.fromEntries(steps));
}

function changes(of: Kind, table: Readonly<Record<string, unknown>>, first: Fields = {}): Sequence[] {
  const steps = Object.entries(table).map(([name, fields]) => [name, [merged(of, fields), get(own(of))]] as const);
  return rows(`a ${of.kind} that changes`, Object.fromEntries(steps), [made(of, first)]);
}

/** What goes for all of them. */
function life(of: Kind): Sequence[] {
  return rows(`a ${of.kind}`, {
    "is applied": [apply(own(of), object(of)), apply(own(of), object(of)), get(own(of))],
    "is applied by two": [
      apply(own(of), object(of)),
      apply(own(of), object(of, {}, { labels: { a: "b" } }), { manager: "bob" }),
      apply(own(of), { ...object(of), metadata: { name: "o-{id}" } }),
    ],
    "is updated": [made(of), update(own(of), object(of)), get(own(of))],
    "is updated by its version": [
      made(of),
      update(own(of), object(of, {}, { resourceVersion: "{0.metadata.resourceVersion}", labels: { a: "b" } })),
    ],
    "gets labels": [made(of), patch(own(of), strategicPatch, { metadata: { labels: { a: "b" } } })],
    "gets labels that are none": [made(of), merged(of, { metadata: { labels: { "a b": "c" } } })],
    "is deleted": [made(of), remove(own(of)), get(own(of))],
    "of a name that is none": create(of.collection, { ...object(of), metadata: { name: "O_x" } }),
    "in dry run": [create(of.collection, object(of), "?dryRun=All"), get(own(of))],
    "with a finalizer": [
      create(of.collection, object(of, {}, { finalizers: ["example.test/a"] })),
      remove(own(of)),
      merged(of, { metadata: { finalizers: null } }),
      get(own(of)),
    ],
  });
}

const many = (count: number, length: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v".repeat(length)]));

const storageClass: Kind = { collection: classes, kind: "StorageClass", fields: { provisioner: "example.test/p" } };
const topology = (...expressions: Fields[]) => ({ matchLabelExpressions: expressions });
const zone = (...values: string[]) => ({ key: "topology.kubernetes.io/zone", values });

export const storageClasses: readonly Sequence[] = [
  ...life(storageClass),
  ...creations(storageClass, {
    little: {},
    "no provisioner": { provisioner: "" },
    "a provisioner that is none": { provisioner: "A b/c" },
    "a provisioner in capitals": { provisioner: "Example.test/P" },
    parameters: { parameters: { a: "b", c: "" } },
    "a parameter of no name": { parameters: { "": "b" } },
    "512 parameters": { parameters: many(512, 1) },
    "513 parameters": { parameters: many(513, 1) },
    "long parameters": { parameters: many(2, 140_000) },
    "the policy Retain": { reclaimPolicy: "Retain" },
    "the policy Recycle": { reclaimPolicy: "Recycle" },
    "an empty policy": { reclaimPolicy: "" },
    waiting: { volumeBindingMode: "WaitForFirstConsumer" },
    "a mode that is none": { volumeBindingMode: "Never" },
    "an empty mode": { volumeBindingMode: "" },
    expansion: { allowVolumeExpansion: true },
    "no expansion": { allowVolumeExpansion: false },
    options: { mountOptions: ["ro", "ro"] },
    "a zone": { allowedTopologies: [topology(zone("a", "b"))] },
    "no zones": { allowedTopologies: [] },
    "an empty term": { allowedTopologies: [{}] },
    "the same terms": { allowedTopologies: [topology(zone("a", "b")), topology(zone("b", "a"))] },
    "other terms": { allowedTopologies: [topology(zone("a")), topology(zone("b"))] },
    "a key twice": { allowedTopologies: [topology(zone("a"), zone("b"))] },
    "no values": { allowedTopologies: [topology(zone())] },
    "a value twice": { allowedTopologies: [topology(zone("a", "a"))] },
    "a key that is none": { allowedTopologies: [topology({ key: "a b", values: ["c"] })] },
    "an outdated zone": {
      allowedTopologies: [topology({ key: "failure-domain.beta.kubernetes.io/zone", values: ["c"] })],
    },
    "all that is wrong": { provisioner: "", reclaimPolicy: "x", volumeBindingMode: "y", parameters: { "": "" } },
  }),
  ...changes(
    storageClass,
    {
      "its provisioner": { provisioner: "x" },
      "its parameters": { parameters: { a: "c" } },
      "its parameters to none": { parameters: null },
      "its policy": { reclaimPolicy: "Retain" },
      "its policy to none": { reclaimPolicy: null },
      "its mode": { volumeBindingMode: "WaitForFirstConsumer" },
      "its expansion": { allowVolumeExpansion: true },
      "its options": { mountOptions: ["ro"] },
      "its zones": { allowedTopologies: [topology(zone("a"))] },
      "much at once": { provisioner: "", parameters: { b: "" }, reclaimPolicy: "x", volumeBindingMode: "x" },
    },
    { parameters: { a: "b" } },
  ),
];

const attributesClass: Kind = {
  collection: "/apis/storage.k8s.io/v1/volumeattributesclasses",
  kind: "VolumeAttributesClass",
  fields: { driverName: "csi.example.test", parameters: { iops: "1" } },
};

export const attributesClasses: readonly Sequence[] = [
  ...life(attributesClass),
  ...creations(attributesClass, {
    "no driver": { driverName: "" },
    "a driver that is none": { driverName: "A b" },
    "no parameters": { parameters: {} },
    "a parameter of no name": { parameters: { "": "a" } },
    "513 parameters": { parameters: many(513, 1) },
    "long parameters": { parameters: many(2, 140_000) },
    nothing: { driverName: "", parameters: {} },
  }),
  ...changes(attributesClass, {
    "its driver": { driverName: "other" },
    "its parameters": { parameters: { iops: "2" } },
    all: { driverName: "", parameters: null },
  }),
];

const driver: Kind = { collection: "/apis/storage.k8s.io/v1/csidrivers", kind: "CSIDriver", fields: { spec: {} } };
const spec = (fields: Fields) => ({ spec: fields });
const tokens = (...requests: Fields[]) => spec({ tokenRequests: requests });

export const drivers: readonly Sequence[] = [
  ...life(driver),
  ...creations(driver, {
    little: {},
    "no spec": { spec: null },
    all: spec({
      attachRequired: false,
      podInfoOnMount: true,
      storageCapacity: true,
      fsGroupPolicy: "File",
      volumeLifecycleModes: ["Ephemeral", "Persistent"],
      requiresRepublish: true,
      seLinuxMount: true,
      nodeAllocatableUpdatePeriodSeconds: 60,
    }),
    "a policy that is none": spec({ fsGroupPolicy: "Some" }),
    "an empty policy": spec({ fsGroupPolicy: "" }),
    "a mode that is none": spec({ volumeLifecycleModes: ["Persistent", "Sometimes"] }),
    "no modes": spec({ volumeLifecycleModes: [] }),
    "a mode twice": spec({ volumeLifecycleModes: ["Persistent", "Persistent"] }),
    "a token": tokens({ audience: "a", expirationSeconds: 3600 }),
    "a token of no audience": tokens({}),
    "two tokens of one audience": tokens({ audience: "a" }, { audience: "a" }),
    "two tokens": tokens({ audience: "a" }, { audience: "" }),
    "a token for a moment": tokens({ audience: "a", expirationSeconds: 599 }),
    "a token for ever": tokens({ audience: "a", expirationSeconds: 4_294_967_297 }),
    "a token in secrets": spec({ tokenRequests: [{ audience: "a" }], serviceAccountTokenInSecrets: true }),
    "no token in secrets": spec({ serviceAccountTokenInSecrets: false }),
    "a short period": spec({ nodeAllocatableUpdatePeriodSeconds: 9 }),
    "what is not released": spec({ preventPodSchedulingIfMissing: true }),
    "a capital name": { metadata: { name: "CSI" } },
  }),
  ...changes(
    driver,
    {
      "its attaching": spec({ attachRequired: false }),
      "its attaching to none": spec({ attachRequired: null }),
      "its modes": spec({ volumeLifecycleModes: ["Ephemeral"] }),
      "its policy": spec({ fsGroupPolicy: "None" }),
      "its policy to one that is none": spec({ fsGroupPolicy: "x" }),
      "its capacity": spec({ storageCapacity: true }),
      "its tokens": spec({ tokenRequests: [{ audience: "b" }] }),
      "its labels": { metadata: { labels: { a: "b" } } },
      "what is not released": spec({ preventPodSchedulingIfMissing: true }),
      all: spec({ attachRequired: false, volumeLifecycleModes: ["x"], fsGroupPolicy: "x" }),
    },
    spec({ tokenRequests: [{ audience: "a" }] }),
  ),
];

const node: Kind = {
  collection: "/apis/storage.k8s.io/v1/csinodes",
  kind: "CSINode",
  fields: { spec: { drivers: [{ name: "a", nodeID: "n", topologyKeys: ["z"], allocatable: { count: 3 } }] } },
};
const nodeDrivers = (...drivers: Fields[]) => spec({ drivers });
const onNode = (more: Fields) => ({ name: "a", nodeID: "n", topologyKeys: ["z"], allocatable: { count: 3 }, ...more });

export const nodes: readonly Sequence[] = [
  ...life(node),
  ...creations(node, {
    "no drivers": nodeDrivers(),
    "no spec": { spec: null },
    "a driver without keys": nodeDrivers({ name: "a", nodeID: "n" }),
    "a driver without a name": nodeDrivers({ nodeID: "n" }),
    "a driver of a long name": nodeDrivers(onNode({ name: "a".repeat(64) })),
    "a driver of a name that is none": nodeDrivers(onNode({ name: "a_b" })),
    "a driver without an id": nodeDrivers(onNode({ nodeID: "" })),
    "a driver of a long id": nodeDrivers(onNode({ nodeID: "n".repeat(257) })),
    "a driver for less than nothing": nodeDrivers(onNode({ allocatable: { count: -1 } })),
    "a driver for nothing": nodeDrivers(onNode({ allocatable: { count: 0 } })),
    "a driver twice": nodeDrivers(onNode({}), onNode({ nodeID: "m" })),
    "an empty key": nodeDrivers(onNode({ topologyKeys: [""] })),
    "a key twice": nodeDrivers(onNode({ topologyKeys: ["a", "a"] })),
    "a key that is none": nodeDrivers(onNode({ topologyKeys: ["a b"] })),
  }),
  ...changes(node, {
    "how many it takes": nodeDrivers(onNode({ allocatable: { count: 4 } })),
    "its id": nodeDrivers(onNode({ nodeID: "m" })),
    "its keys": nodeDrivers(onNode({ topologyKeys: ["y"] })),
    "its drivers": nodeDrivers(onNode({ name: "b" })),
    "its drivers to none": nodeDrivers(),
    "its drivers to more": nodeDrivers(onNode({}), onNode({ name: "b" })),
  }),
];

const capacity: Kind = {
  collection: "/apis/storage.k8s.io/v1/namespaces/{ns}/csistoragecapacities",
  kind: "CSIStorageCapacity",
  fields: { storageClassName: "fast", nodeTopology: { matchLabels: { a: "b" } }, capacity: "1Gi" },
};

export const capacities: readonly Sequence[] = [
  ...life(capacity),
  ...creations(capacity, {
    "no class": { storageClassName: "" },
    "a class that is none": { storageClassName: "F" },
    "no capacity": { capacity: null },
    "a capacity of nothing": { capacity: "0" },
    "a negative capacity": { capacity: "-1Gi" },
    "a capacity that is none": { capacity: "x" },
    "a capacity in another form": { capacity: "1024Mi", maximumVolumeSize: "2048Ki" },
    "a tiny capacity": { capacity: "1n" },
    "a negative size": { maximumVolumeSize: "-1" },
    "no nodes": { nodeTopology: null },
    "every node": { nodeTopology: {} },
    "labels that are none": { nodeTopology: { matchLabels: { "a b": "c d" } } },
    "an outdated label": { nodeTopology: { matchLabels: { "beta.kubernetes.io/os": "x" } } },
    "an outdated expression": {
      nodeTopology: { matchExpressions: [{ key: "beta.kubernetes.io/arch", operator: "Exists" }] },
    },
    "an expression that is none": { nodeTopology: { matchExpressions: [{ key: "a", operator: "In" }] } },
  }),
  ...changes(capacity, {
    "its class": { storageClassName: "slow" },
    "its nodes": { nodeTopology: { matchLabels: { a: "c" } } },
    "its nodes to none": { nodeTopology: null },
    "its capacity": { capacity: "2Gi", maximumVolumeSize: "1Gi" },
    "its capacity to less than nothing": { capacity: "-1" },
  }),
];

const attachment: Kind = {
  collection: "/apis/storage.k8s.io/v1/volumeattachments",
  kind: "VolumeAttachment",
  fields: { spec: { attacher: "csi.example.test", nodeName: "n", source: { persistentVolumeName: "v" } } },
};
const attached = (fields: Fields) => spec({ ...(attachment.fields["spec"] as Fields), ...fields });
const inline = (fields: Fields) =>
  attached({
    source: {
      inlineVolumeSpec: { accessModes: ["ReadWriteOnce"], csi: { driver: "d", volumeHandle: "h" }, ...fields },
    },
  });

export const attachments: readonly Sequence[] = [
  ...life(attachment),
  ...creations(attachment, {
    "no attacher": attached({ attacher: "" }),
    "an attacher that is none": attached({ attacher: "a_b" }),
    "an attacher in capitals": attached({ attacher: "CSI" }),
    "a long attacher": attached({ attacher: "a".repeat(64) }),
    "no node": attached({ nodeName: "" }),
    "a node that is none": attached({ nodeName: "N" }),
    "no source": attached({ source: {} }),
    "an empty volume": attached({ source: { persistentVolumeName: "" } }),
    "a volume that is none": attached({ source: { persistentVolumeName: "V" } }),
    "two sources": attached({ source: { persistentVolumeName: "v", inlineVolumeSpec: {} } }),
    "a volume in it": inline({}),
    "a volume in it without a driver": inline({ csi: null, nfs: { server: "s", path: "/p" } }),
    "a volume in it with a size": inline({ capacity: { storage: "1Gi" }, claimRef: { name: "c" } }),
    "a volume in it without modes": inline({ accessModes: [] }),
    "a volume in it with a policy": inline({ persistentVolumeReclaimPolicy: "Delete" }),
    "a volume in it with the policy Retain": inline({ persistentVolumeReclaimPolicy: "Retain" }),
    "a volume in it with an affinity": inline({ nodeAffinity: {} }),
    "a volume in it with a class": inline({ storageClassName: "c" }),
    "a volume in it with a mode": inline({ volumeMode: "Block" }),
    "a volume in it with its mode": inline({ volumeMode: "Filesystem" }),
    "a local volume in it": inline({ csi: null, local: { path: "/p" } }),
    "a volume in it on a host": inline({ csi: null, hostPath: { path: "/p" } }),
    "a status": { status: { attached: true } },
    "no spec": { spec: null },
  }),
  ...changes(attachment, {
    "its node": spec({ nodeName: "m" }),
    "its attacher": spec({ attacher: "" }),
    "its volume": spec({ source: { persistentVolumeName: "w" } }),
    "its status": { status: { attached: true } },
  }),
  ...rows(
    "the status of a VolumeAttachment:",
    Object.fromEntries(
      Object.entries({
        attached: { attached: true },
        "with metadata": { attached: true, attachmentMetadata: { a: "b" } },
        "with long metadata": { attached: true, attachmentMetadata: many(2, 140_000) },
        "with an error": { attached: false, attachError: { time: "2001-02-03T04:05:06Z", message: "m" } },
        "with an error of a code": { attached: false, detachError: { message: "", errorCode: 8 } },
        "with an error of a code that is none": { attached: false, attachError: { errorCode: -1 } },
        "with a long error": { attached: false, attachError: { message: "m".repeat(1025) } },
        "of nothing": {},
      }).map(([name, status]) => [
        name,
        [patch(`${own(attachment)}/status`, mergePatch, { status }), get(own(attachment))],
      ]),
    ),
    [made(attachment)],
  ),
  ...rows(
    "beside the status of a VolumeAttachment",
    {
      "its labels stay": patch(`${own(attachment)}/status`, mergePatch, { metadata: { labels: { a: "b" } } }),
      "its spec stays": patch(`${own(attachment)}/status`, mergePatch, { spec: { nodeName: "m" } }),
      "its finalizers stay": patch(`${own(attachment)}/status`, mergePatch, { metadata: { finalizers: ["a/b"] } }),
    },
    [made(attachment)],
  ),
];
