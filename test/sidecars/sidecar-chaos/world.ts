import type { KubeClient } from "@stowage/kube";
import {
  type ConfigMap,
  configMaps,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  type VolumeAttachment,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
  volumeAttachments,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";
import type { MockControlClient, StoredState } from "./mock-control.ts";

/** Everything that there is: in the cluster, and in the storage. */
export interface World {
  readonly claims: readonly PersistentVolumeClaim[];
  readonly volumes: readonly PersistentVolume[];
  readonly attachments: readonly VolumeAttachment[];
  readonly snapshots: readonly VolumeSnapshot[];
  readonly contents: readonly VolumeSnapshotContent[];
  readonly configMaps: readonly ConfigMap[];
  readonly stored: StoredState;
}

export interface WorldDeps {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly driverName: string;
  readonly control: MockControlClient;
}

export async function readWorld({ client, namespace, driverName, control }: WorldDeps): Promise<World> {
  const [claims, volumes, attachments, snapshots, contents, maps, stored] = await Promise.all([
    client.listAll(persistentVolumeClaims, { namespace }),
    client.listAll(persistentVolumes),
    client.listAll(volumeAttachments),
    client.listAll(volumeSnapshots, { namespace }),
    client.listAll(volumeSnapshotContents),
    client.listAll(configMaps, { namespace }),
    control.state(),
  ]);
  return {
    claims: claims.items,
    volumes: volumes.items.filter(({ spec }) => spec?.csi?.driver === driverName),
    attachments: attachments.items.filter(({ spec }) => spec.attacher === driverName),
    snapshots: snapshots.items,
    contents: contents.items.filter(({ spec }) => spec.driver === driverName),
    configMaps: maps.items.filter(({ metadata }) => metadata.name?.includes("provisioning-intents")),
    stored,
  };
}
