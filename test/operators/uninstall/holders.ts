import {
  type KubernetesObject,
  type PersistentVolumeClaimSpec,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  type ResourceType,
  volumeAttachments,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";
import type { OperatorCluster } from "../driver-operator/operator-cluster.ts";

/** Something that needs a driver, and how its operator is to name it. */
export interface HolderCase {
  readonly title: string;
  readonly named: string;
  create(cluster: OperatorCluster): Promise<void>;
  remove(cluster: OperatorCluster): Promise<void>;
}

export interface HolderNames {
  readonly driver: string;
  readonly storageClass: string;
  readonly snapshotClass: string;
}

const namespace = "default";

export function holderCases({ driver, storageClass, snapshotClass }: HolderNames): HolderCase[] {
  const claim: PersistentVolumeClaimSpec = {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "1Gi" } },
  };
  return [
    holder("a volume", persistentVolumes, "1 PersistentVolume (held-volume)", {
      metadata: { name: "held-volume" },
      spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], csi: { driver, volumeHandle: "1" } },
    }),
    holder("a claim that waits for its volume", persistentVolumeClaims, "yet (default/held-claim)", {
      metadata: { name: "held-claim", namespace },
      spec: { ...claim, storageClassName: storageClass },
    }),
    holder("a claim whose volume is being made, of a class that is gone", persistentVolumeClaims, "(default/older)", {
      metadata: {
        name: "older",
        namespace,
        annotations: { "volume.kubernetes.io/storage-provisioner": driver },
      },
      spec: { ...claim, storageClassName: "gone" },
    }),
    holder("an attached volume", volumeAttachments, "1 VolumeAttachment (held-attachment on node n1)", {
      metadata: { name: "held-attachment" },
      spec: { attacher: driver, nodeName: "n1", source: { persistentVolumeName: "elsewhere" } },
    }),
    holder("an inline volume", pods, "1 Pod with an inline volume (default/held-pod)", {
      metadata: { name: "held-pod", namespace },
      spec: {
        containers: [{ name: "c", image: "registry.test/c:1" }],
        volumes: [{ name: "v", csi: { driver } }],
      },
    }),
    holder("a snapshot", volumeSnapshotContents, "1 VolumeSnapshotContent (held-content of snapshot default/s)", {
      metadata: { name: "held-content" },
      spec: {
        driver,
        deletionPolicy: "Retain",
        source: { snapshotHandle: "1" },
        volumeSnapshotRef: { namespace, name: "s" },
      },
    }),
    holder("a snapshot that is not taken yet", volumeSnapshots, "content yet (default/held-snapshot)", {
      metadata: { name: "held-snapshot", namespace },
      spec: { volumeSnapshotClassName: snapshotClass, source: { persistentVolumeClaimName: "c" } },
    }),
  ];
}

function holder<T extends KubernetesObject>(
  title: string,
  type: ResourceType<T>,
  named: string,
  object: Omit<T, "apiVersion" | "kind">,
): HolderCase {
  const { name = "", namespace: place } = object.metadata;
  return {
    title,
    named,
    create: async ({ client }) => void (await client.create(type, object)),
    remove: async ({ client }) =>
      void (await client.delete(type, { name, ...(place !== undefined && { namespace: place }) })),
  };
}
