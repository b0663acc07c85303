import type { CsiVolume } from "./csi-volume.ts";
import { askedCapability, type CsiDeps, hasCapability, nodeCalls, secretData } from "./driver-access.ts";
import { removeMountFolder, tidy } from "./mount-folder.ts";
import { readVolumeData, writeVolumeData } from "./volume-data.ts";
import { certaintyOf, csiFailure } from "./volume-failure.ts";
import { makeVolumeFolder } from "./volume-folder.ts";

export interface StageWish {
  readonly volume: CsiVolume;
  /** What attaching has brought to light; none when it is not attached. */
  readonly publishContext: Readonly<Record<string, string>>;
  /** Of the Pod. */
  readonly fsGroup: number | undefined;
}

/** Brings a volume to the node, for all Pods that use it there. Drivers that have no use for this are not asked. */
export async function stageVolume(deps: CsiDeps, wish: StageWish, signal: AbortSignal): Promise<void> {
  const { volume, publishContext } = wish;
  const node = nodeCalls(deps, volume.driver, "attacher.MountDevice failed to create newCsiDriverClient");
  const isStaged = await hasCapability(node, "STAGE_UNSTAGE_VOLUME", signal);
  const secrets = isStaged ? await secretData(deps, volume.stageSecret, "NodeStageSecretRef") : {};
  const place = deps.paths.staging(volume.driver, volume.volumeHandle);
  makeVolumeFolder(place.path, `attacher.MountDevice failed to create dir "${place.path}": `);
  if (!isStaged) return;
  const takesGroup = await hasCapability(node, "VOLUME_MOUNT_GROUP", signal);
  writeVolumeData(place.dataPath, { volumeHandle: volume.volumeHandle, driverName: volume.driver });
  const volumeCapability = await askedCapability(node, volume, takesGroup ? wish.fsGroup : undefined, signal);
  const { volumeHandle: volumeId, attributes: volumeContext } = volume;
  const request = { volumeId, publishContext, stagingTargetPath: place.path, volumeCapability, secrets, volumeContext };
  try {
    await node.nodeStageVolume(request, { signal });
  } catch (error) {
    if (certaintyOf(error) === "final") await tidy(deps, () => removeMountFolder(deps.mounter, place));
    throw error;
  }
}

/** Undoes that, when no Pod uses it any more. */
export async function unstageVolume(
  deps: CsiDeps,
  { driver, volumeHandle }: { readonly driver: string; readonly volumeHandle: string },
  signal: AbortSignal,
): Promise<void> {
  const place = deps.paths.staging(driver, volumeHandle);
  if (readVolumeData(place.dataPath) !== undefined) {
    const node = nodeCalls(deps, driver, "attacher.UnmountDevice failed to create newCsiDriverClient");
    if (await hasCapability(node, "STAGE_UNSTAGE_VOLUME", signal)) {
      try {
        await node.nodeUnstageVolume({ volumeId: volumeHandle, stagingTargetPath: place.path }, { signal });
      } catch (error) {
        throw csiFailure("uncertain", "attacher.UnmountDevice failed", error);
      }
    }
  }
  await removeMountFolder(deps.mounter, place);
}
