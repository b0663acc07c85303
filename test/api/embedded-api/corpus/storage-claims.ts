import {
  apply,
  claim,
  claims,
  create,
  each,
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

const own = `${claims}/c`;
const made = (spec: Fields = {}, metadata: Fields = {}): Step => create(claims, claim("c", spec, metadata));
const merged = (spec: unknown, more: Fields = {}): Step => patch(own, mergePatch, { spec, ...more });
const status = (fields: Fields): Step => patch(`${own}/status`, mergePatch, { status: fields });
const size = (storage: unknown) => ({ resources: { requests: { storage } } });

const creations = (what: string, table: Readonly<Record<string, Fields>>): Sequence[] =>
  rows(what, Object.fromEntries(Object.entries(table).map(([name, spec]) => [name, [made(spec), get(own)]])));

const snapshot = { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "s" };
const other = { kind: "PersistentVolumeClaim", name: "o" };
const populator = { apiGroup: "example.test", kind: "Well", name: "w" };
const expression = (requirement: Fields) => ({ selector: { matchExpressions: [requirement] } });

export const specs: readonly Sequence[] = creations("a claim with", {
  little: {},
  "a class": { storageClassName: "fast" },
  "no class": { storageClassName: null },
  "a class that is none": { storageClassName: "Fast" },
  "no modes": { accessModes: [] },
  "a mode that is none": { accessModes: ["Sometimes"] },
  modes: { accessModes: ["ReadWriteMany", "ReadOnlyMany"] },
  "the mode for one Pod": { accessModes: ["ReadWriteOncePod"] },
  "the mode for one Pod and another": { accessModes: ["ReadWriteOncePod", "ReadWriteMany"] },
  "no size": { resources: {} },
  "no resources": { resources: null },
  "a size of null": size(null),
  "a size of nothing": size("0"),
  "a negative size": size("-1Gi"),
  "a size that is none": size("much"),
  "a size without digits": size("Gi"),
  "a size of an unknown unit": size("1Xi"),
  "a size of a number": size(1_073_741_824),
  "a size of a fraction": size("1.5"),
  "a size of half a thousandth": size("500u"),
  "a size in another form": size("2048Mi"),
  "a size with a decimal unit": size("1G"),
  "a limit": { resources: { requests: { storage: "1Gi" }, limits: { storage: "2.0005" } } },
  "another resource": { resources: { requests: { storage: "1Gi", cpu: "1" } } },
  "the mode Block": { volumeMode: "Block" },
  "a mode of volumes that is none": { volumeMode: "Tape" },
  "an empty mode of volumes": { volumeMode: "" },
  "a volume": { volumeName: "v" },
  "an empty volume": { volumeName: "" },
  "a class of attributes": { volumeAttributesClassName: "gold" },
  "an empty class of attributes": { volumeAttributesClassName: "" },
  "a class of attributes that is none": { volumeAttributesClassName: "Gold" },
  "labels to select": { selector: { matchLabels: { a: "b" } } },
  "an empty selector": { selector: {} },
  "labels to select that are none": { selector: { matchLabels: { "a b": "x y" } } },
  "an expression": expression({ key: "a", operator: "In", values: ["b"] }),
  "an expression without values": expression({ key: "a", operator: "NotIn" }),
  "an expression with values": expression({ key: "a", operator: "Exists", values: ["b"] }),
  "an expression of an unknown operator": expression({ key: "a b", operator: "Is", values: ["x y"] }),
  "an unknown field": { colour: "red" },
});

export const dataSources: readonly Sequence[] = creations("a claim from", {
  "a claim": { dataSource: other },
  "a claim by reference": { dataSourceRef: other },
  "a claim of an empty group": { dataSource: { ...other, apiGroup: "" } },
  "a snapshot": { dataSource: snapshot },
  "a snapshot by reference": { dataSourceRef: snapshot },
  "the same in both": { dataSource: snapshot, dataSourceRef: snapshot },
  "not the same in both": { dataSource: snapshot, dataSourceRef: other },
  "another thing": { dataSource: populator },
  "another thing by reference": { dataSourceRef: populator },
  "another thing in both": { dataSource: populator, dataSourceRef: populator },
  "a thing without a group": { dataSourceRef: { kind: "Well", name: "w" } },
  nothing: { dataSource: {} },
  "nothing by reference": { dataSourceRef: {} },
  "a group that is none": { dataSourceRef: { ...populator, apiGroup: "Example_" } },
  "another namespace": { dataSourceRef: { ...other, namespace: "n" } },
  "an empty namespace": { dataSourceRef: { ...other, namespace: "" } },
  "another namespace and a claim": { dataSource: other, dataSourceRef: { ...other, namespace: "n" } },
});

const classAnnotation = "volume.beta.kubernetes.io/storage-class";
const annotated = (value: string | null) => ({ annotations: { [classAnnotation]: value } });

export const metadata: readonly Sequence[] = rows("a claim", {
  "with an outdated annotation": [made({}, annotated("a")), get(own)],
  "of a name that is none": create(claims, claim("C")),
  "of a name to be made": create(claims, { ...claim("c"), metadata: { generateName: "g-" } }),
  "that is wrong in many ways": create(
    claims,
    claim("C", { accessModes: ["x"], resources: {}, volumeMode: "x", storageClassName: "X" }),
  ),
  "without a spec": create(claims, { metadata: { name: "c" } }),
  "with a status": [create(claims, { ...claim("c"), status: { phase: "Bound" } }), get(own)],
  "in dry run": [create(claims, claim("c"), "?dryRun=All"), get(own)],
});

const changes: Readonly<Record<string, readonly Step[]>> = {
  "its size": [merged(size("2Gi")), get(own)],
  "its size to less": [merged(size("500Mi"))],
  "its size in another form": [merged(size("1024Mi")), merged(size("1073741824"))],
  "its size to none": [merged({ resources: { requests: null } })],
  "its limit": [merged({ resources: { limits: { storage: "3Gi" } } })],
  "its modes": [merged({ accessModes: ["ReadWriteMany"] })],
  "its mode": [merged({ volumeMode: "Block" })],
  "its class": [merged({ storageClassName: "fast" })],
  "its class to none": [merged({ storageClassName: null })],
  "its volume": [merged({ volumeName: "v" }), merged({ volumeName: "w" })],
  "its volume to none": [merged({ volumeName: "v" }), merged({ volumeName: null })],
  "its selector": [merged({ selector: { matchLabels: { a: "b" } } })],
  "its source": [merged({ dataSource: other })],
  "its reference": [merged({ dataSourceRef: populator })],
  "its class of attributes": [merged({ volumeAttributesClassName: "gold" })],
  "its annotation": [patch(own, mergePatch, { metadata: annotated("a") })],
  "its labels": [patch(own, strategicPatch, { metadata: { labels: { a: "b" } } }), get(own)],
  "much at once": [merged({ accessModes: null, volumeMode: "x", volumeName: "v", ...size("0") })],
  "all by an update": [update(own, claim("c")), get(own)],
  "its status by an update": [update(own, { ...claim("c"), status: { phase: "Lost" } })],
};

const bound = status({ phase: "Bound", capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] });

export const updates: readonly Sequence[] = [
  ...rows("a claim that changes", changes, [made()]),
  ...rows("a bound claim that changes", changes, [made(), bound]),
  ...rows("a claim from a snapshot that changes", changes, [made({ dataSource: snapshot })]),
];

const applied = status({ currentVolumeAttributesClassName: "gold" });

export const resizing: readonly Sequence[] = rows(
  "a claim of an expandable class",
  {
    grows: [merged(size("2Gi")), get(own)],
    "grows and shrinks above its capacity": [merged(size("3Gi")), merged(size("2Gi"))],
    "grows and shrinks to its capacity": [merged(size("3Gi")), merged(size("1Gi"))],
    "grows and shrinks below its capacity": [merged(size("3Gi")), merged(size("512Mi"))],
    "grows by a strategic patch": [patch(own, strategicPatch, { spec: size("2Gi") })],
    "grows with a limit": [merged({ resources: { requests: { storage: "2Gi" }, limits: { storage: "4Gi" } } })],
    "takes a class of attributes": [
      merged({ volumeAttributesClassName: "gold" }),
      merged({ volumeAttributesClassName: null }),
    ],
    "keeps a class of attributes": [
      merged({ volumeAttributesClassName: "gold" }),
      applied,
      merged({ volumeAttributesClassName: null }),
    ],
    "keeps a class of attributes that is emptied": [
      merged({ volumeAttributesClassName: "gold" }),
      applied,
      merged({ volumeAttributesClassName: "" }),
    ],
  },
  [
    create("/apis/storage.k8s.io/v1/storageclasses", {
      metadata: { name: "x-{id}" },
      provisioner: "example.test/x",
      allowVolumeExpansion: true,
    }),
    made({ storageClassName: "x-{id}" }),
    bound,
  ],
);

export const annotations: readonly Sequence[] = rows(
  "a claim with its class in an annotation",
  {
    "takes the same class": [merged({ storageClassName: "a" }), get(own)],
    "takes the same class and loses the annotation": [merged({ storageClassName: "a" }, { metadata: annotated(null) })],
    "takes another class": [merged({ storageClassName: "b" })],
    "takes another annotation": [merged({}, { metadata: annotated("b") })],
    "loses the annotation": [merged({}, { metadata: annotated(null) })],
  },
  [made({ storageClassName: null }, annotated("a"))],
);

const condition = (fields: Fields) => ({ conditions: [{ type: "Resizing", status: "True", ...fields }] });

export const statuses: readonly Sequence[] = rows(
  "the status of a claim:",
  {
    "a phase": [status({ phase: "Bound" }), get(own), get(`${own}/status`)],
    "an empty phase": [status({ phase: "" })],
    "a phase that is none": [status({ phase: "Sleeping" })],
    "a capacity": [status({ capacity: { storage: "1024Mi" } }), get(own)],
    "a negative capacity": [status({ capacity: { storage: "-1" } })],
    "a capacity that is none": [patch(`${own}/status`, strategicPatch, { status: { capacity: { storage: 3 } } })],
    modes: [status({ accessModes: ["ReadWriteOnce", "x"] })],
    "a condition": [
      status(condition({ lastTransitionTime: "2001-02-03T04:05:06Z", reason: "", message: "m" })),
      get(own),
    ],
    "a condition without times": [status(condition({}))],
    "a condition of two kinds": [
      status(condition({})),
      patch(`${own}/status`, strategicPatch, {
        status: { conditions: [{ type: "FileSystemResizePending", status: "True" }] },
      }),
    ],
    "what is allocated": [status({ allocatedResources: { storage: "2048Mi" } }), get(own)],
    "what is allocated of another resource": [status({ allocatedResources: { cpu: "1" } })],
    "what is allocated of a foreign resource": [status({ allocatedResources: { "example.test/x": "1" } })],
    "what is allocated of a name that is none": [status({ allocatedResources: { "a b": "1" } })],
    "what is allocated below zero": [status({ allocatedResources: { storage: "-1" } })],
    "how resizing goes": [status({ allocatedResourceStatuses: { storage: "ControllerResizeInProgress" } })],
    "how resizing goes, in a word that is none": [status({ allocatedResourceStatuses: { storage: "Slowly" } })],
    "how resizing of another resource goes": [status({ allocatedResourceStatuses: { memory: "NodeResizePending" } })],
    "a class of attributes": [
      status({
        currentVolumeAttributesClassName: "gold",
        modifyVolumeStatus: { status: "Pending", targetVolumeAttributesClassName: "" },
      }),
      get(own),
    ],
    "modifying without a word": [status({ modifyVolumeStatus: {} })],
    "a spec beside it": [patch(`${own}/status`, mergePatch, { spec: { volumeName: "x" }, status: { phase: "Bound" } })],
    "labels beside it": [patch(`${own}/status`, mergePatch, { metadata: { labels: { a: "b" } } })],
  },
  [made()],
);

export const applies: readonly Sequence[] = rows("a claim that is applied", {
  "is made": [apply(own, claim("c")), get(own)],
  "twice by one": [apply(own, claim("c")), apply(own, claim("c", { volumeName: "v" })), apply(own, claim("c"))],
  "by two": [
    apply(own, claim("c")),
    apply(own, claim("c", size("2Gi")), { manager: "bob" }),
    apply(own, claim("c", size("2Gi")), { manager: "bob", force: true }),
  ],
  "from a snapshot": [
    apply(own, claim("c", { dataSource: snapshot })),
    apply(own, claim("c", { dataSource: snapshot })),
  ],
  "and then its status": [
    apply(own, claim("c")),
    apply(
      `${own}/status`,
      { apiVersion: "v1", kind: "PersistentVolumeClaim", status: condition({}) },
      { manager: "bob" },
    ),
  ],
  "without a size": [apply(own, { ...claim("c"), spec: {} })],
});

export const deletions: readonly Sequence[] = rows(
  "a claim that is deleted",
  {
    "waits for its finalizer": [remove(own), get(own), merged({}, { metadata: { finalizers: null } }), get(own)],
    "may still change": [remove(own), merged({ volumeName: "x" })],
    "without finalizers goes": [merged({}, { metadata: { finalizers: null } }), remove(own), get(own)],
    "with all others": [{ send: `DELETE ${claims}` }, get(claims)],
  },
  [made()],
);

export const amounts: readonly Sequence[] = each(
  "a claim of",
  [
    "1",
    "1k",
    "1Ki",
    "1.5Gi",
    "1e3",
    "1E3",
    "0.5Gi",
    "100000000000000Gi",
    "1n",
    ".5",
    "+1Gi",
    "1 Gi",
    "1gi",
    "01Gi",
    "1.0Gi",
    "",
  ],
  (text) => [made(size(text)), get(own)],
);
