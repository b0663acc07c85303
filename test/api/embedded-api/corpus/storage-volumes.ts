import {
  apply,
  create,
  type Fields,
  get,
  jsonPatch,
  mergePatch,
  patch,
  remove,
  rows,
  strategicPatch,
  update,
} from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

const volumes = "/api/v1/persistentvolumes";
const own = `${volumes}/v-{id}`;

const csi = { driver: "csi.example.test", volumeHandle: "h" };

const volume = (spec: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name: "v-{id}", ...metadata },
  spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], ...spec },
});

const made = (spec: Fields = {}, metadata: Fields = {}): Step => create(volumes, volume(spec, metadata));
const merged = (spec: unknown, more: Fields = {}): Step => patch(own, mergePatch, { spec, ...more });

/** One volume for each row, as it is made and as it is then. */
const creations = (what: string, table: Readonly<Record<string, Fields>>): Sequence[] =>
  rows(what, Object.fromEntries(Object.entries(table).map(([name, spec]) => [name, [made(spec), get(own)]])));

const portal = "10.0.0.1:3260";
const iqn = "iqn.2001-04.com.example:storage.disk";
const secret = { name: "s", namespace: "n" };

export const sources: readonly Sequence[] = creations("a volume in", {
  "no place": {},
  "a folder": { hostPath: { path: "/data" } },
  "a folder of a type": { hostPath: { path: "/data", type: "DirectoryOrCreate" } },
  "a folder of a type that is none": { hostPath: { path: "/data", type: "Box" } },
  "a folder without a path": { hostPath: {} },
  "a folder above": { hostPath: { path: "/a/../b" } },
  "a disk of GCE": { gcePersistentDisk: { pdName: "d", partition: 0, readOnly: false, fsType: "" } },
  "a disk of GCE without a name": { gcePersistentDisk: { partition: 256 } },
  "a disk of GCE with a partition": {
    gcePersistentDisk: { pdName: "d", partition: 3, readOnly: true, fsType: "ext4" },
  },
  "a disk of AWS": { awsElasticBlockStore: { volumeID: "vol" } },
  "a disk of AWS without an id": { awsElasticBlockStore: { partition: -1 } },
  GlusterFS: { glusterfs: { endpoints: "e", path: "p" } },
  "GlusterFS of nothing": { glusterfs: {} },
  "GlusterFS in a namespace": { glusterfs: { endpoints: "e", path: "p", endpointsNamespace: "n" } },
  "GlusterFS in an empty namespace": { glusterfs: { endpoints: "e", path: "p", endpointsNamespace: "" } },
  "GlusterFS in a namespace that is none": { glusterfs: { endpoints: "e", path: "p", endpointsNamespace: "N_" } },
  Flocker: { flocker: { datasetName: "d" } },
  "Flocker of nothing": { flocker: {} },
  "Flocker of two things": { flocker: { datasetName: "d/e", datasetUUID: "u" } },
  NFS: { nfs: { server: "s", path: "/p" } },
  "NFS of nothing": { nfs: {} },
  "NFS of a relative path": { nfs: { server: "s", path: "p" } },
  RBD: { rbd: { monitors: ["m"], image: "i" } },
  "RBD of nothing": { rbd: {} },
  "RBD with all": {
    rbd: { monitors: ["m"], image: "i", pool: "p", user: "u", keyring: "k", secretRef: secret, readOnly: true },
  },
  Quobyte: { quobyte: { registry: "r:1,s:2", volume: "v" } },
  "Quobyte of nothing": { quobyte: {} },
  "Quobyte of no pairs": { quobyte: { registry: "r,s:2", volume: "v" } },
  "Quobyte of a long tenant": { quobyte: { registry: "r:1", volume: "v", tenant: "t".repeat(65) } },
  CephFS: { cephfs: { monitors: ["m"], path: "", user: "" } },
  "CephFS of nothing": { cephfs: {} },
  iSCSI: { iscsi: { targetPortal: portal, iqn, lun: 0 } },
  "iSCSI of nothing": { iscsi: {} },
  "iSCSI of a name that is none": { iscsi: { targetPortal: portal, iqn: "x", lun: 256 } },
  "iSCSI of a wrong iqn": { iscsi: { targetPortal: portal, iqn: "iqn.x", lun: -1 } },
  "iSCSI of an eui": { iscsi: { targetPortal: portal, iqn: "eui.0123456789abcdef", lun: 1 } },
  "iSCSI of a wrong eui": { iscsi: { targetPortal: portal, iqn: "eui.0123", lun: 1 } },
  "iSCSI of an naa": { iscsi: { targetPortal: portal, iqn: `naa.${"0".repeat(32)}`, lun: 1 } },
  "iSCSI of a wrong naa": { iscsi: { targetPortal: portal, iqn: "naa.1", lun: 1 } },
  "iSCSI with CHAP and no secret": { iscsi: { targetPortal: portal, iqn, lun: 1, chapAuthSession: true } },
  "iSCSI with CHAP": { iscsi: { targetPortal: portal, iqn, lun: 1, chapAuthDiscovery: true, secretRef: secret } },
  "iSCSI with a secret of no name": { iscsi: { targetPortal: portal, iqn, lun: 1, secretRef: {} } },
  "iSCSI of an initiator": { iscsi: { targetPortal: portal, iqn, lun: 1, initiatorName: iqn } },
  "iSCSI of an initiator that is none": { iscsi: { targetPortal: portal, iqn, lun: 1, initiatorName: "x" } },
  "iSCSI of an initiator and a long portal": {
    iscsi: { targetPortal: "p".repeat(64), iqn, lun: 1, initiatorName: iqn },
  },
  Cinder: { cinder: { volumeID: "v" } },
  "Cinder of nothing": { cinder: { secretRef: {} } },
  "Fibre Channel": { fc: { targetWWNs: ["w"], lun: 0 } },
  "Fibre Channel of nothing": { fc: {} },
  "Fibre Channel of two things": { fc: { targetWWNs: ["w"], wwids: ["i"] } },
  "Fibre Channel of a large lun": { fc: { targetWWNs: ["w"], lun: 256 } },
  "Fibre Channel of ids": { fc: { wwids: ["i"] } },
  "a flex volume": { flexVolume: { driver: "d", options: { a: "b" } } },
  "a flex volume of nothing": { flexVolume: { options: { "x.kubernetes.io/a": "b" } } },
  "a flex volume beside another": { nfs: { server: "s", path: "/p" }, flexVolume: { driver: "d" } },
  "a file of Azure": { azureFile: { secretName: "s", shareName: "h" } },
  "a file of Azure of nothing": { azureFile: { secretNamespace: "" } },
  "a file of Azure with a namespace": { azureFile: { secretName: "s", shareName: "h", secretNamespace: "n" } },
  vSphere: { vsphereVolume: { volumePath: "p" } },
  "vSphere of nothing": { vsphereVolume: {} },
  Photon: { photonPersistentDisk: { pdID: "p" } },
  "Photon of nothing": { photonPersistentDisk: {} },
  Portworx: { portworxVolume: { volumeID: "p" } },
  "Portworx of nothing": { portworxVolume: {} },
  "a disk of Azure": { azureDisk: { diskName: "d", diskURI: "https://x" } },
  "a disk of Azure of nothing": { azureDisk: {} },
  "a disk of Azure of unknown kinds": { azureDisk: { diskName: "d", diskURI: "u", cachingMode: "C", kind: "K" } },
  "a managed disk of Azure": { azureDisk: { diskName: "d", diskURI: "/subscriptions/x", kind: "Managed" } },
  "a managed disk of Azure elsewhere": {
    azureDisk: { diskName: "d", diskURI: "https://x", kind: "Managed", readOnly: true },
  },
  ScaleIO: { scaleIO: { gateway: "g", system: "s", volumeName: "v", secretRef: secret } },
  "ScaleIO of nothing": { scaleIO: {} },
  "a local path": { local: { path: "/p" } },
  "a local path of nothing": { local: {} },
  "a local path above": { local: { path: "../p" } },
  "a local path on a node": {
    local: { path: "/p", fsType: "" },
    nodeAffinity: {
      required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "h", operator: "In", values: ["n"] }] }] },
    },
  },
  StorageOS: { storageos: { volumeName: "v" } },
  "StorageOS of nothing": { storageos: { secretRef: {} } },
  "StorageOS of names that are none": { storageos: { volumeName: "V", volumeNamespace: "N", secretRef: secret } },
  CSI: { csi },
  "CSI of nothing": { csi: {} },
  "CSI with all": {
    csi: {
      ...csi,
      fsType: "ext4",
      readOnly: true,
      volumeAttributes: { b: "1", a: "2" },
      controllerPublishSecretRef: secret,
      nodeStageSecretRef: secret,
      nodePublishSecretRef: secret,
      controllerExpandSecretRef: secret,
      nodeExpandSecretRef: secret,
    },
  },
  "CSI with empty secrets": {
    csi: {
      ...csi,
      fsType: "",
      readOnly: false,
      controllerPublishSecretRef: {},
      nodeStageSecretRef: {},
      nodePublishSecretRef: { name: "S" },
      controllerExpandSecretRef: { namespace: "N" },
      nodeExpandSecretRef: {},
    },
  },
  "CSI of a long driver": { csi: { ...csi, driver: "d".repeat(64) } },
  "CSI of a driver that is none": { csi: { ...csi, driver: "a_b" } },
  "CSI of a driver in capitals": { csi: { ...csi, driver: "CSI.Example" } },
  "two places": { csi, nfs: { server: "s", path: "/p" } },
  "three places": { csi, cephfs: { monitors: ["m"] }, hostPath: { path: "/a" } },
});

const term = (expression: Fields) => ({ required: { nodeSelectorTerms: [{ matchExpressions: [expression] }] } });
const field = (requirement: Fields) => ({ required: { nodeSelectorTerms: [{ matchFields: [requirement] }] } });
const zone = (key: string) => term({ key, operator: "In", values: ["z"] });

export const specs: readonly Sequence[] = creations("a volume with", {
  "no modes": { csi, accessModes: [] },
  "a mode that is none": { csi, accessModes: ["Sometimes"] },
  "two modes that are none": { csi, accessModes: ["Sometimes", "", "ReadWriteMany"] },
  "every mode": { csi, accessModes: ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany"] },
  "the mode for one Pod": { csi, accessModes: ["ReadWriteOncePod"] },
  "the mode for one Pod and another": { csi, accessModes: ["ReadWriteOncePod", "ReadOnlyMany"] },
  "no capacity": { csi, capacity: null },
  "an empty capacity": { csi, capacity: {} },
  "another capacity": { csi, capacity: { cpu: "1" } },
  "two capacities": { csi, capacity: { storage: "1Gi", cpu: "1" } },
  "a capacity of nothing": { csi, capacity: { storage: "0" } },
  "a negative capacity": { csi, capacity: { storage: "-1Gi" } },
  "a capacity that is none": { csi, capacity: { storage: "much" } },
  "a capacity of a number": { csi, capacity: { storage: 5 } },
  "a capacity in another form": { csi, capacity: { storage: "1024Mi" } },
  "a capacity with a fraction": { csi, capacity: { storage: "1.5Gi" } },
  "a capacity smaller than a thousandth": { csi, capacity: { storage: "1.0005" } },
  "a policy that is none": { csi, persistentVolumeReclaimPolicy: "Keep" },
  "an empty policy": { csi, persistentVolumeReclaimPolicy: "" },
  "the policy Delete": { csi, persistentVolumeReclaimPolicy: "Delete" },
  "the policy Recycle": { csi, persistentVolumeReclaimPolicy: "Recycle" },
  "the policy Recycle and the root": { hostPath: { path: "/" }, persistentVolumeReclaimPolicy: "Recycle" },
  "the policy Recycle and the root in another form": {
    hostPath: { path: "//./" },
    persistentVolumeReclaimPolicy: "Recycle",
  },
  "a class": { csi, storageClassName: "fast" },
  "an empty class": { csi, storageClassName: "" },
  "a class that is none": { csi, storageClassName: "Fast" },
  "the mode Block": { csi, volumeMode: "Block" },
  "a mode of volumes that is none": { csi, volumeMode: "Tape" },
  "an empty mode of volumes": { csi, volumeMode: "" },
  "mount options": { csi, mountOptions: ["ro", "soft"] },
  "a class of attributes": { csi, volumeAttributesClassName: "gold" },
  "an empty class of attributes": { csi, volumeAttributesClassName: "" },
  "a class of attributes that is none": { csi, volumeAttributesClassName: "Gold" },
  "a class of attributes and no driver": { nfs: { server: "s", path: "/p" }, volumeAttributesClassName: "gold" },
  "a claim": { csi, claimRef: { name: "c", namespace: "n", uid: "", apiVersion: "v1", kind: "PersistentVolumeClaim" } },
  "an empty claim": { csi, claimRef: {} },
  "no affinity that is required": { csi, nodeAffinity: {} },
  "no terms": { csi, nodeAffinity: { required: { nodeSelectorTerms: [] } } },
  "an empty term": { csi, nodeAffinity: { required: { nodeSelectorTerms: [{}] } } },
  "a zone": { csi, nodeAffinity: zone("topology.kubernetes.io/zone") },
  "an outdated zone": { csi, nodeAffinity: zone("failure-domain.beta.kubernetes.io/zone") },
  "outdated labels": { csi, nodeAffinity: zone("node-role.kubernetes.io/master") },
  "an expression without values": { csi, nodeAffinity: term({ key: "a", operator: "In" }) },
  "an expression with too many values": { csi, nodeAffinity: term({ key: "a", operator: "Exists", values: ["b"] }) },
  "an expression of two numbers": { csi, nodeAffinity: term({ key: "a", operator: "Gt", values: ["1", "2"] }) },
  "an expression of an unknown operator": { csi, nodeAffinity: term({ key: "a b", operator: "Is", values: ["x y"] }) },
  "a field": { csi, nodeAffinity: field({ key: "metadata.name", operator: "In", values: ["n"] }) },
  "a field of two values": { csi, nodeAffinity: field({ key: "metadata.name", operator: "In", values: ["n", "M"] }) },
  "a field that is none": { csi, nodeAffinity: field({ key: "spec.x", operator: "Exists" }) },
  "an unknown field": { csi, colour: "red" },
  "a status": { csi, status: { phase: "Bound" } },
});

const annotated = (annotations: Fields, spec: Fields = { csi }) => made(spec, { annotations });

export const metadata: readonly Sequence[] = rows("a volume", {
  "with an outdated annotation of its class": annotated({ "volume.beta.kubernetes.io/storage-class": "a" }),
  "with an annotation of options where there are none": annotated({ "volume.beta.kubernetes.io/mount-options": "ro" }),
  "with an annotation of options": annotated(
    { "volume.beta.kubernetes.io/mount-options": "ro" },
    { nfs: { server: "s", path: "/p" } },
  ),
  "in a namespace": made({ csi }, { namespace: "default" }),
  "of a name that is none": create(volumes, { ...volume({ csi }), metadata: { name: "V" } }),
  "that is wrong in many ways": create(volumes, {
    ...volume({ capacity: null, accessModes: [], volumeMode: "x", storageClassName: "X", csi: {} }),
    metadata: { name: "V-{id}", labels: { "a b": "c" } },
  }),
  "without a spec": create(volumes, { metadata: { name: "v-{id}" } }),
});

const classed = { volumeAttributesClassName: "gold" };

export const updates: readonly Sequence[] = [
  ...rows(
    "a volume that changes",
    {
      "its handle": [merged({ csi: { volumeHandle: "i" } })],
      "its place": [merged({ csi: null, hostPath: { path: "/a" } })],
      "its attributes": [merged({ csi: { volumeAttributes: { a: "<b>" } } })],
      "its secret for expanding": [merged({ csi: { controllerExpandSecretRef: secret } }), get(own)],
      "its secret for expanding, and back": [
        merged({ csi: { controllerExpandSecretRef: secret } }),
        merged({ csi: { controllerExpandSecretRef: null } }),
      ],
      "its secret for expanding and its handle": [merged({ csi: { controllerExpandSecretRef: secret, fsType: "x" } })],
      "its size": [merged({ capacity: { storage: "2Gi" } }), get(own)],
      "its size to nothing": [merged({ capacity: null })],
      "its mode": [merged({ volumeMode: "Block" })],
      "its access": [merged({ accessModes: ["ReadOnlyMany"] })],
      "its class": [merged({ storageClassName: "fast" })],
      "its policy": [merged({ persistentVolumeReclaimPolicy: "Delete" })],
      "its options": [merged({ mountOptions: ["ro"] })],
      "its claim": [merged({ claimRef: { name: "c", namespace: "n" } }), merged({ claimRef: null })],
      "its affinity": [merged({ nodeAffinity: zone("a") }), merged({ nodeAffinity: zone("b") })],
      "its affinity to none": [merged({ nodeAffinity: zone("a") }), merged({ nodeAffinity: null })],
      "the name of a label": [
        merged({ nodeAffinity: zone("failure-domain.beta.kubernetes.io/zone") }),
        merged({ nodeAffinity: zone("topology.kubernetes.io/zone") }),
        merged({ nodeAffinity: zone("failure-domain.beta.kubernetes.io/zone") }),
      ],
      "its class of attributes": [merged(classed), merged({ volumeAttributesClassName: "x" })],
      "its class of attributes to none": [merged(classed), merged({ volumeAttributesClassName: null })],
      "everything at once": [
        merged({ csi: { driver: "" }, volumeMode: "x", capacity: { storage: "-1" }, accessModes: [] }),
      ],
      "its labels": [patch(own, strategicPatch, { metadata: { labels: { a: "b" } } }), get(own)],
      "its modes by a strategic patch": [patch(own, strategicPatch, { spec: { accessModes: ["ReadWriteMany"] } })],
      "its size by a JSON patch": [
        patch(own, jsonPatch, [{ op: "replace", path: "/spec/capacity/storage", value: "3000Mi" }]),
      ],
      nothing: [merged({ capacity: { storage: "1024Mi" } }), get(own)],
      "all by an update": [update(own, volume({ csi, storageClassName: "s" })), get(own)],
      "all by an update of another version": [update(own, volume({ csi }, { resourceVersion: "1" }))],
      "its status by an update": [update(own, { ...volume({ csi }), status: { phase: "Bound" } })],
    },
    [made({ csi })],
  ),
];

const status = (fields: Fields): Step => patch(`${own}/status`, mergePatch, { status: fields });

export const statuses: readonly Sequence[] = rows(
  "the status of a volume:",
  {
    "a phase": [status({ phase: "Available" }), get(own), get(`${own}/status`)],
    "the same phase": [status({ phase: "Pending" })],
    "a phase with a time": [status({ phase: "Bound", lastPhaseTransitionTime: "2001-02-03T04:05:06Z" })],
    "the same phase with a time": [status({ phase: "Pending", lastPhaseTransitionTime: "2001-02-03T04:05:06Z" })],
    "a phase that is none": [status({ phase: "Lost" })],
    "an empty phase": [status({ phase: "" })],
    "no phase": [status({ phase: null })],
    "a message": [status({ message: "m", reason: "r" }), status({ message: "", reason: null })],
    "a spec beside it": [
      patch(`${own}/status`, mergePatch, { spec: { storageClassName: "x" }, status: { phase: "Bound" } }),
    ],
    "a number": patch(`${own}/status`, mergePatch, { status: 3 }),
    "a phase that is a number": patch(`${own}/status`, mergePatch, { status: { phase: 3 } }),
    "labels beside it": [patch(`${own}/status`, mergePatch, { metadata: { labels: { a: "b" } } })],
    "a label that is none beside it": [patch(`${own}/status`, mergePatch, { metadata: { labels: { "a b": "b" } } })],
    "an unknown field": [status({ colour: "red" })],
    "beside a policy that is warned of": [
      merged({ persistentVolumeReclaimPolicy: "Recycle" }),
      status({ phase: "Bound" }),
    ],
  },
  [made({ csi })],
);

export const applies: readonly Sequence[] = rows("a volume that is applied", {
  "is made": [apply(own, volume({ csi })), get(own)],
  "twice by one": [
    apply(own, volume({ csi })),
    apply(own, volume({ csi, storageClassName: "a" })),
    apply(own, volume({ csi })),
  ],
  "by two": [
    apply(own, volume({ csi })),
    apply(own, { ...volume(), spec: { capacity: { storage: "2Gi" } } }, { manager: "bob" }),
    apply(own, { ...volume(), spec: { capacity: { storage: "2Gi" } } }, { manager: "bob", force: true }),
  ],
  "and then its status": [
    apply(own, volume({ csi })),
    apply(`${own}/status`, { ...volume(), spec: undefined, status: { phase: "Available" } }, { manager: "bob" }),
  ],
  "with another place": [apply(own, volume({ csi })), apply(own, volume({ nfs: { server: "s", path: "/p" } }))],
  "without a size": [apply(own, { ...volume(), spec: { csi } })],
});

export const deletions: readonly Sequence[] = rows(
  "a volume that is deleted",
  {
    "waits for its finalizer": [remove(own), get(own), merged({}, { metadata: { finalizers: null } }), get(own)],
    "takes no new finalizers": [remove(own), merged({}, { metadata: { finalizers: ["example.test/a"] } })],
    "may still change": [remove(own), merged({ storageClassName: "x" })],
    "without finalizers goes": [merged({}, { metadata: { finalizers: null } }), remove(own), get(own)],
    "with dry run stays": [remove(`${own}?dryRun=All`), get(own)],
  },
  [made({ csi })],
);
