import type { KubeClient, Patch } from "@stowage/kube";
import { type PersistentVolume, persistentVolumes } from "@stowage/machinery";
import type { LatestObjects } from "./latest-objects.ts";

export interface VolumeWriter {
  readonly client: Pick<KubeClient, "patch">;
  readonly volumes: Pick<LatestObjects<PersistentVolume>, "wrote">;
}

/** Writes to a PV, and has the cache know it. */
export async function patchVolume(
  { client, volumes }: VolumeWriter,
  { metadata: { name = "" } }: PersistentVolume,
  patch: Patch,
): Promise<PersistentVolume> {
  return volumes.wrote(await client.patch(persistentVolumes, { name }, patch));
}
