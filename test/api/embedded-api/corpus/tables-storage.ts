import type { Sequence } from "../sequence.ts";
import { type Shown, shown } from "../table-builders.ts";

const storage = "/apis/storage.k8s.io/v1";

const volumes: readonly Shown[] = [
  {
    kind: "PersistentVolume",
    apiVersion: "v1",
    path: "/api/v1/persistentvolumes",
    rows: {
      "of a driver": {
        spec: {
          capacity: { storage: "1024Mi" },
          accessModes: ["ReadWriteMany", "ReadWriteOnce", "ReadOnlyMany"],
          csi: { driver: "d.test", volumeHandle: "h" },
          storageClassName: "fast",
          volumeMode: "Block",
        },
      },
      bound: {
        spec: {
          capacity: { storage: "2Gi" },
          accessModes: ["ReadWriteOncePod"],
          csi: { driver: "d.test", volumeHandle: "h" },
          claimRef: { namespace: "ns", name: "c" },
          persistentVolumeReclaimPolicy: "Delete",
          volumeAttributesClassName: "gold",
        },
        status: { phase: "Bound" },
      },
      failed: {
        metadata: { annotations: { "volume.beta.kubernetes.io/storage-class": "old" } },
        spec: { capacity: { storage: "1" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } },
        status: { phase: "Failed", reason: "Broken", message: "it is" },
      },
    },
  },
  {
    kind: "PersistentVolumeClaim",
    apiVersion: "v1",
    path: "/api/v1/namespaces/{ns}/persistentvolumeclaims",
    rows: {
      pending: {
        spec: { accessModes: ["ReadWriteOnce"], storageClassName: "fast", resources: { requests: { storage: "1Gi" } } },
      },
      bound: {
        spec: {
          accessModes: ["ReadWriteOnce", "ReadOnlyMany"],
          storageClassName: "",
          volumeName: "v",
          volumeMode: "Block",
          volumeAttributesClassName: "gold",
          resources: { requests: { storage: "1Gi" } },
        },
        status: { phase: "Bound", capacity: { storage: "2048Mi" }, accessModes: ["ReadOnlyMany", "ReadWriteOnce"] },
      },
      lost: {
        metadata: { annotations: { "volume.beta.kubernetes.io/storage-class": "old" } },
        spec: { accessModes: ["ReadWriteMany"], volumeName: "v", resources: { requests: { storage: "1Gi" } } },
        status: { phase: "Lost" },
      },
    },
  },
  {
    kind: "StorageClass",
    apiVersion: "storage.k8s.io/v1",
    path: `${storage}/storageclasses`,
    rows: {
      plain: { provisioner: "d.test" },
      "with all": {
        provisioner: "d.test",
        reclaimPolicy: "Retain",
        volumeBindingMode: "WaitForFirstConsumer",
        allowVolumeExpansion: true,
      },
    },
  },
  {
    kind: "VolumeAttributesClass",
    apiVersion: "storage.k8s.io/v1",
    path: `${storage}/volumeattributesclasses`,
    rows: { plain: { driverName: "d.test", parameters: { a: "b" } } },
  },
  {
    kind: "VolumeAttachment",
    apiVersion: "storage.k8s.io/v1",
    path: `${storage}/volumeattachments`,
    rows: {
      "not attached": { spec: { attacher: "d.test", nodeName: "n", source: { persistentVolumeName: "v" } } },
      attached: {
        spec: { attacher: "d.test", nodeName: "n", source: { persistentVolumeName: "v" } },
        status: { attached: true },
      },
    },
  },
  {
    kind: "CSINode",
    apiVersion: "storage.k8s.io/v1",
    path: `${storage}/csinodes`,
    rows: {
      "without drivers": { spec: { drivers: [] } },
      "with drivers": {
        spec: {
          drivers: [
            { name: "a.test", nodeID: "1", topologyKeys: ["t"] },
            { name: "b.test", nodeID: "2" },
          ],
        },
      },
    },
  },
  {
    kind: "CSIDriver",
    apiVersion: "storage.k8s.io/v1",
    path: `${storage}/csidrivers`,
    rows: {
      plain: { spec: {} },
      "with all": {
        spec: {
          attachRequired: false,
          podInfoOnMount: true,
          storageCapacity: true,
          requiresRepublish: true,
          tokenRequests: [{ audience: "a" }, { audience: "b" }],
          volumeLifecycleModes: ["Persistent", "Ephemeral"],
        },
      },
    },
  },
  {
    kind: "CSIStorageCapacity",
    apiVersion: "storage.k8s.io/v1",
    path: `${storage}/namespaces/{ns}/csistoragecapacities`,
    rows: { plain: { storageClassName: "fast", capacity: "1Gi" } },
  },
];

export const storageTables: readonly Sequence[] = volumes.flatMap(shown);
