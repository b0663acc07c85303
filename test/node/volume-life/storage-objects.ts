import type { KubeClient } from "@stowage/kube";
import {
  csiDrivers,
  type PersistentVolumeClaimSpec,
  persistentVolumeClaims,
  snapshotParameters,
  storageClasses,
  volumeAttributesClasses,
  volumeGroupSnapshotClasses,
  volumeSnapshotClasses,
  volumeSnapshots,
} from "@stowage/machinery";
import { expect } from "vitest";
import { type Cluster, eventually } from "../kubelet/cluster.ts";

/** A driver as an administrator makes it known. */
export interface DriverWish {
  readonly driver: string;
  readonly hasCapacity: boolean;
  /** By the name of the class. */
  readonly classes: Readonly<Record<string, { isImmediate: boolean; parameters: Record<string, string> }>>;
  readonly snapshotParameters?: Record<string, string>;
  readonly groupParameters?: Record<string, string>;
  /** Of the VolumeAttributesClass. */
  readonly attributes: Record<string, string>;
}

/** Its CSIDriver object and its classes, of which all but the StorageClasses are called as the driver is. */
export async function introduce(client: KubeClient, wish: DriverWish): Promise<void> {
  const { driver, attributes: parameters } = wish;
  const metadata = { name: driver };
  await client.create(csiDrivers, {
    metadata,
    spec: {
      attachRequired: true,
      podInfoOnMount: true,
      storageCapacity: wish.hasCapacity,
      fsGroupPolicy: "File",
      volumeLifecycleModes: ["Persistent", "Ephemeral"],
    },
  });
  for (const [name, { isImmediate, parameters: own }] of Object.entries(wish.classes))
    await client.create(storageClasses, {
      metadata: { name },
      provisioner: driver,
      allowVolumeExpansion: true,
      volumeBindingMode: isImmediate ? "Immediate" : "WaitForFirstConsumer",
      parameters: own,
    });
  await client.create(volumeAttributesClasses, { metadata, driverName: driver, parameters });
  const snapshots = { metadata, driver, deletionPolicy: "Delete" } as const;
  await client.create(volumeSnapshotClasses, { ...snapshots, parameters: wish.snapshotParameters });
  await client.create(volumeGroupSnapshotClasses, { ...snapshots, parameters: wish.groupParameters });
}

export interface ClaimWish {
  readonly className: string;
  readonly sizeBytes: bigint;
  readonly volumeMode: "Filesystem" | "Block";
  readonly dataSource?: PersistentVolumeClaimSpec["dataSource"];
  readonly attributesClassName?: string;
}

export function claimSpec(wish: ClaimWish): PersistentVolumeClaimSpec {
  const { className, attributesClassName, sizeBytes, volumeMode, dataSource } = wish;
  return {
    storageClassName: className,
    volumeAttributesClassName: attributesClassName,
    accessModes: ["ReadWriteOnce"],
    volumeMode,
    dataSource,
    resources: { requests: { storage: `${sizeBytes}` } },
  };
}

type Place = Pick<Cluster, "client" | "namespace">;

export async function createClaim(
  { client, namespace }: Place,
  name: string,
  wish: ClaimWish & { readonly labels?: Record<string, string> },
): Promise<void> {
  const metadata = { namespace, name, labels: wish.labels };
  await client.create(persistentVolumeClaims, { metadata, spec: claimSpec(wish) });
}

/** A snapshot that is ready to be restored from. */
export async function takeSnapshot(
  { client, namespace }: Place,
  { name, claim, className }: { name: string; claim: string; className: string },
): Promise<void> {
  await client.create(volumeSnapshots, {
    metadata: { namespace, name },
    spec: { volumeSnapshotClassName: className, source: { persistentVolumeClaimName: claim } },
  });
  await eventually(async () => {
    const { status } = await client.get(volumeSnapshots, { namespace, name });
    expect(status, `snapshot ${name}`).toMatchObject({ readyToUse: true });
  });
}

export const fromSnapshot = (name: string) => ({ apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name });
export const fromClaim = (name: string) => ({ kind: "PersistentVolumeClaim", name });

/** `provisioner` and the like, each with a Secret of that name in the namespace. */
export function secretParameters(uses: readonly string[], namespace: string): Record<string, string> {
  return Object.fromEntries(
    uses.flatMap((use) => [
      [`${snapshotParameters.prefix}${use}-secret-name`, use],
      [`${snapshotParameters.prefix}${use}-secret-namespace`, namespace],
    ]),
  );
}
