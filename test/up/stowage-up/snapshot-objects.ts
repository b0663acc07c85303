import type { PersistentVolumeClaim, Pod, VolumeSnapshot } from "@stowage/machinery";

const namespace = "demo";

export const snapshotOfDemo: VolumeSnapshot = {
  apiVersion: "snapshot.storage.k8s.io/v1",
  kind: "VolumeSnapshot",
  metadata: { name: "data-1", namespace },
  spec: { volumeSnapshotClassName: "stowage-local", source: { persistentVolumeClaimName: "data" } },
};

export const restoringClaim: PersistentVolumeClaim = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "restored", namespace },
  spec: {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "64Mi" } },
    dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "data-1" },
  },
};

/** It only has the volume, until it is told to end. */
export const restoringPod: Pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "reader", namespace },
  spec: {
    serviceAccountName: "writer",
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 5,
    containers: [
      {
        name: "reader",
        image: "busybox",
        command: ["sh", "-c", "trap 'exit 0' TERM; while :; do sleep 5 & wait $!; done"],
        volumeMounts: [{ name: "data", mountPath: "/data" }],
      },
    ],
    volumes: [{ name: "data", persistentVolumeClaim: { claimName: "restored" } }],
  },
};
