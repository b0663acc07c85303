import { create, type Fields, pod, pods, rows } from "../builders.ts";
import type { Sequence } from "../sequence.ts";

/** Volumes of Pods: every source, what it is given, and what is wrong with it. */

const having = (...volumes: readonly Fields[]) => create(pods, pod("a", {}, { volumes }));

const all = (what: string, table: Readonly<Record<string, Fields>>) =>
  rows(
    what,
    Object.fromEntries(Object.entries(table).map(([name, source]) => [name, having({ name: "v", ...source })])),
  );

export const volumes: readonly Sequence[] = [
  ...rows("volumes", {
    "no name": having({ emptyDir: {} }),
    "a name with dots": having({ name: "a.b", emptyDir: {} }),
    "a name twice": having({ name: "v", emptyDir: {} }, { name: "v", emptyDir: {} }),
    "no source": having({ name: "v" }),
    "two sources": having({ name: "v", emptyDir: {}, hostPath: { path: "/a" } }),
    "three sources": having({
      name: "v",
      cephfs: { monitors: ["a"] },
      downwardAPI: {},
      nfs: { server: "s", path: "/a" },
    }),
    "a claim that an ephemeral volume makes": having(
      {
        name: "v",
        ephemeral: {
          volumeClaimTemplate: {
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          },
        },
      },
      { name: "w", persistentVolumeClaim: { claimName: "a-v" } },
    ),
  }),
  ...all("plain volumes", {
    "an empty directory": { emptyDir: { medium: "Memory", sizeLimit: "1024Mi" } },
    "less than nothing": { emptyDir: { sizeLimit: "-1" } },
    "no amount": { emptyDir: { sizeLimit: "much" } },
    "a path of the host": { hostPath: { path: "/a" } },
    "a path of the host of a type": { hostPath: { path: "/a", type: "DirectoryOrCreate" } },
    "a type that is none": { hostPath: { path: "/a", type: "Thing" } },
    "no path of the host": { hostPath: { path: "" } },
    "a path of the host above": { hostPath: { path: "/a/../b" } },
    "a claim": { persistentVolumeClaim: { claimName: "c", readOnly: false } },
    "no claim": { persistentVolumeClaim: {} },
    "a repository": { gitRepo: { repository: "r", directory: "d" } },
    "no repository": { gitRepo: { directory: "/../d" } },
    "an image": { image: { reference: "example.test/data" } },
    "an image with a tag": { image: { reference: "example.test/data:1", pullPolicy: "" } },
    "no image": { image: {} },
    "an image by a policy that is none": { image: { reference: "x", pullPolicy: "Sometimes" } },
  }),
];

const items = (...list: readonly Fields[]) => ({ items: list });

export const files: readonly Sequence[] = all("volumes of files", {
  "a secret": { secret: { secretName: "s" } },
  "a secret with a mode": { secret: { secretName: "s", defaultMode: 0, optional: false } },
  "no secret": { secret: {} },
  "a mode that is none": { secret: { secretName: "s", defaultMode: 512 } },
  "a negative mode": { configMap: { name: "m", defaultMode: -1 } },
  "some keys": { secret: { secretName: "s", ...items({ key: "a", path: "b", mode: 256 }) } },
  "no key and no path": { secret: { secretName: "s", ...items({}) } },
  "an absolute path": { configMap: { name: "m", ...items({ key: "a", path: "/b" }) } },
  "a path above": { configMap: { name: "m", ...items({ key: "a", path: "b/../c", mode: 1000 }) } },
  "a path that is kept for others": { configMap: { name: "m", ...items({ key: "a", path: "..b" }) } },
  "no map": { configMap: {} },
  "paths that hide each other": {
    configMap: { name: "m", ...items({ key: "a", path: "b" }, { key: "c", path: "b/d" }, { key: "e", path: "b/" }) },
  },
  "secret paths that hide each other": {
    secret: { secretName: "s", ...items({ key: "a", path: "b" }, { key: "c", path: "b" }) },
  },
  "fields of the Pod": {
    downwardAPI: items(
      { path: "labels", fieldRef: { fieldPath: "metadata.labels" } },
      { path: "cpu", resourceFieldRef: { containerName: "main", resource: "limits.cpu", divisor: "1m" } },
    ),
  },
  "no field": { downwardAPI: items({ path: "a" }) },
  "a field and a resource": {
    downwardAPI: items({
      path: "",
      mode: 600,
      fieldRef: { fieldPath: "spec.nodeName" },
      resourceFieldRef: { resource: "limits.cpu" },
    }),
  },
  "a resource of nobody": {
    downwardAPI: { defaultMode: 1000, ...items({ path: "a", resourceFieldRef: { resource: "limits.cpu" } }) },
  },
  "field paths that hide each other": {
    downwardAPI: items(...["a", "a/b"].map((path) => ({ path, fieldRef: { fieldPath: "metadata.name" } }))),
  },
});

const projected = (...sources: readonly Fields[]) => ({ projected: { sources } });
const token = (more: Fields = {}) => ({ serviceAccountToken: { path: "t", ...more } });

export const projections: readonly Sequence[] = [
  ...all("projected volumes", {
    "all sources": projected(
      { secret: { name: "s", ...items({ key: "a", path: "a" }) } },
      { configMap: { name: "m", ...items({ key: "b", path: "b" }) } },
      { downwardAPI: items({ path: "c", fieldRef: { fieldPath: "metadata.name" } }) },
      token(),
    ),
    "no sources": { projected: { defaultMode: 1000 } },
    "an empty source": projected({}),
    "a source of two": projected({ secret: { name: "s" }, configMap: { name: "m" } }),
    "sources without names": projected({ secret: {} }, { configMap: items({}) }),
    "the same path twice": projected(
      { secret: { name: "s", ...items({ key: "a", path: "a" }) } },
      { configMap: { name: "m", ...items({ key: "b", path: "a" }) } },
      { downwardAPI: items({ path: "a", fieldRef: { fieldPath: "metadata.name" } }) },
    ),
    "paths that hide each other": projected(
      { secret: { name: "s", ...items({ key: "a", path: "a" }) } },
      { configMap: { name: "m", ...items({ key: "b", path: "a/b" }) } },
      token({ path: "a" }),
    ),
    "a token": projected(token({ audience: "me", expirationSeconds: 600 })),
    "a token of a short time": projected(token({ expirationSeconds: 599 })),
    "a token of a long time": projected(token({ expirationSeconds: 2 ** 32 + 1 })),
    "a token without a path": projected(token({ path: "" })),
    "a token above": projected(token({ path: "../t" })),
    "a bundle of trust": projected({ clusterTrustBundle: { name: "a", path: "b" } }),
    "a certificate": projected({
      podCertificate: { signerName: "example.test/a", keyType: "ED25519", credentialBundlePath: "c" },
    }),
  }),
];

const claimed = (spec: Fields, metadata?: Fields) => ({
  ephemeral: {
    volumeClaimTemplate: {
      ...(metadata && { metadata }),
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
    },
  },
});

export const ephemeralClaims: readonly Sequence[] = all("volumes that come and go with a Pod", {
  "a claim": claimed({ storageClassName: "fast" }),
  "a claim with labels": claimed({}, { labels: { a: "b" }, annotations: { c: "d" } }),
  "a claim with a name": claimed({}, { name: "n", labels: { "a b": "c d" } }),
  "no claim": { ephemeral: {} },
  "no size": claimed({ resources: {} }),
  "a size of nothing": claimed({ resources: { requests: { storage: "0" } } }),
  "a size below nothing": claimed({ resources: { requests: { storage: "-1Gi" } } }),
  "a part of a byte": claimed({ resources: { requests: { storage: "100m" } } }),
  "no access": claimed({ accessModes: [] }),
  "access that is none": claimed({ accessModes: ["Write"] }),
  "access of one Pod and others": claimed({ accessModes: ["ReadWriteOncePod", "ReadWriteOnce"] }),
  "a class that is none": claimed({ storageClassName: "Fast_", volumeAttributesClassName: "Gold_" }),
  "a mode that is none": claimed({ volumeMode: "Stream" }),
  "a selector that is none": claimed({ selector: { matchExpressions: [{ key: "a", operator: "Is" }] } }),
  "a source": claimed({ dataSource: { kind: "PersistentVolumeClaim", name: "c" } }),
  "a source of no kind": claimed({ dataSource: { kind: "Snapshot", name: "" } }),
  "a source of a group that is none": claimed({ dataSourceRef: { apiGroup: "a_b", kind: "Snapshot", name: "s" } }),
  "two sources": claimed({
    dataSource: { kind: "PersistentVolumeClaim", name: "c" },
    dataSourceRef: { kind: "PersistentVolumeClaim", name: "d" },
  }),
});

export const drivers: readonly Sequence[] = all("volumes of drivers", {
  "a driver": { csi: { driver: "a.test", readOnly: false, fsType: "", volumeAttributes: { a: "b" } } },
  "no driver": { csi: {} },
  "a driver of a long name": { csi: { driver: "a".repeat(64) } },
  "a driver of a name that is none": { csi: { driver: "a_b" } },
  "a driver with a secret": { csi: { driver: "a.test", nodePublishSecretRef: { name: "s" } } },
  "a driver with no secret": { csi: { driver: "a.test", nodePublishSecretRef: {} } },
  "a driver with a secret that is none": { csi: { driver: "a.test", nodePublishSecretRef: { name: "S_" } } },
  "a flexible driver": { flexVolume: { driver: "a.test/b", options: { "a.k8s.io/b": "c" } } },
  "no flexible driver": { flexVolume: { options: { a: "b" } } },
});

export const disks: readonly Sequence[] = all("volumes of some storage", {
  nfs: { nfs: { server: "s", path: "/a" } },
  "nfs of nothing": { nfs: {} },
  "nfs of a path": { nfs: { server: "s", path: "a" } },
  iscsi: { iscsi: { targetPortal: "10.0.0.1", iqn: "iqn.2020-01.test.example:a", lun: 0 } },
  "iscsi of nothing": { iscsi: { chapAuthSession: true, lun: 256 } },
  "iscsi of a name that is none": { iscsi: { targetPortal: "p", iqn: "abc", lun: 0 } },
  "iscsi of names that are not whole": { iscsi: { targetPortal: "p", iqn: "iqn.a", lun: 0, initiatorName: "eui.1" } },
  "iscsi of another name": { iscsi: { targetPortal: "p", iqn: "naa.1", lun: 0, initiatorName: "x" } },
  "iscsi of a long name": {
    iscsi: {
      targetPortal: "p".repeat(64),
      iqn: "iqn.2020-01.test.example:a",
      lun: 0,
      initiatorName: "iqn.2020-01.test.example:b",
    },
  },
  fc: { fc: { targetWWNs: ["a"], lun: 1 } },
  "fc of nothing": { fc: {} },
  "fc of both": { fc: { targetWWNs: ["a"], wwids: ["b"] } },
  "fc of a unit that is none": { fc: { targetWWNs: ["a"], lun: 256 } },
  gce: { gcePersistentDisk: { pdName: "", partition: 256 } },
  aws: { awsElasticBlockStore: { volumeID: "", partition: -1 } },
  gluster: { glusterfs: { endpoints: "", path: "" } },
  "flocker of nothing": { flocker: {} },
  "flocker of both": { flocker: { datasetName: "a/b", datasetUUID: "c" } },
  rbd: { rbd: { monitors: ["a"], image: "i" } },
  "rbd of nothing": { rbd: {} },
  cinder: { cinder: { secretRef: {} } },
  cephfs: { cephfs: { monitors: ["a"] } },
  "cephfs of nothing": { cephfs: {} },
  quobyte: { quobyte: { registry: "a:1,b:2", volume: "v" } },
  "quobyte of nothing": { quobyte: {} },
  "quobyte of no pair": { quobyte: { registry: "a,b:2", volume: "v" } },
  "quobyte of a long tenant": { quobyte: { registry: "a:1", volume: "v", tenant: "t".repeat(65) } },
  "azure file": { azureFile: {} },
  "azure disk": { azureDisk: { diskName: "d", diskURI: "https://a" } },
  "azure disk of nothing": { azureDisk: { cachingMode: "Some", kind: "None" } },
  "a managed azure disk": { azureDisk: { diskName: "d", diskURI: "https://a", kind: "Managed" } },
  vsphere: { vsphereVolume: {} },
  photon: { photonPersistentDisk: {} },
  portworx: { portworxVolume: {} },
  scaleio: { scaleIO: { gateway: "g", system: "s", volumeName: "v", secretRef: { name: "s" } } },
  "scaleio of nothing": { scaleIO: {} },
  storageos: { storageos: { volumeName: "v" } },
  "storageos of nothing": { storageos: { volumeNamespace: "A_", secretRef: {} } },
});
