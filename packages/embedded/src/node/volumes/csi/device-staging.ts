import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { csiAttachmentName } from "@stowage/machinery";
import type { CsiVolume } from "./csi-volume.ts";
import { askedCapability, type CsiDeps, hasCapability, nodeCalls, secretData } from "./driver-access.ts";
import { removeEmpty, tidy } from "./mount-folder.ts";
import type { StageWish } from "./staging.ts";
import { isAbsent, writeVolumeData } from "./volume-data.ts";
import { certaintyOf, csiFailure } from "./volume-failure.ts";
import { makeVolumeFolder } from "./volume-folder.ts";

/** What is known of a device must be there before anything of it is. */
export function keepDeviceData({ paths, nodeName }: CsiDeps, volume: CsiVolume): void {
  const { dataPath } = paths.stagedDevice(volume.specName);
  makeVolumeFolder(dirname(dataPath), `failed to create data dir ${dirname(dataPath)}: `);
  writeVolumeData(dataPath, {
    specVolID: volume.specName,
    volumeHandle: volume.volumeHandle,
    driverName: volume.driver,
    nodeName,
    attachmentID: csiAttachmentName(volume, nodeName),
  });
}

/** Brings a block device to the node. */
export async function stageDevice(deps: CsiDeps, wish: StageWish, signal: AbortSignal): Promise<void> {
  const { volume, publishContext } = wish;
  const node = nodeCalls(deps, volume.driver, "blockMapper.SetUpDevice failed to get CSI client");
  if (!(await hasCapability(node, "STAGE_UNSTAGE_VOLUME", signal))) return;
  const secrets = await secretData(deps, volume.stageSecret, "NodeStageSecretRef");
  const { path } = deps.paths.stagedDevice(volume.specName);
  makeVolumeFolder(path, `blockMapper.stageVolumeForBlock failed to create dir ${path}:`);
  const volumeCapability = await askedCapability(node, volume, undefined, signal);
  const { volumeHandle: volumeId, attributes: volumeContext } = volume;
  const request = { volumeId, publishContext, stagingTargetPath: path, volumeCapability, secrets, volumeContext };
  try {
    await node.nodeStageVolume(request, { signal });
  } catch (error) {
    if (certaintyOf(error) === "final") await tidy(deps, () => removeDeviceFolders(deps, volume.specName));
    throw error;
  }
}

export interface StagedDevice {
  readonly driver: string;
  readonly volumeHandle: string;
  readonly specName: string;
}

/** Undoes that, when no Pod has it any more. */
export async function unstageDevice(deps: CsiDeps, device: StagedDevice, signal: AbortSignal): Promise<void> {
  const { driver, volumeHandle: volumeId, specName } = device;
  const users = entriesOf(deps.paths.deviceMaps(specName));
  if (users.length > 0) {
    const text = `the device "${deps.paths.deviceMaps(specName)}" is still referenced from other Pods [${users.join(" ")}]`;
    throw csiFailure("transient", text);
  }
  const { path } = deps.paths.stagedDevice(specName);
  if (existsSync(path)) {
    const node = nodeCalls(deps, driver, "blockMapper.TearDownDevice failed to get CSI client");
    if (await hasCapability(node, "STAGE_UNSTAGE_VOLUME", signal)) {
      try {
        await node.nodeUnstageVolume({ volumeId, stagingTargetPath: path }, { signal });
      } catch (error) {
        throw csiFailure("uncertain", "blockMapper.unstageVolumeForBlock failed", error);
      }
      await removeUnmounted(deps, path);
    }
  }
  await tidy(deps, () => removeDeviceFolders(deps, specName));
}

/** Only what is empty, or our own. */
async function removeDeviceFolders(deps: CsiDeps, specName: string): Promise<void> {
  const { paths } = deps;
  removeEmpty(dirname(paths.publishedDevice(specName, "any")));
  removeEmpty(paths.stagedDevice(specName).path);
  await removeUnmounted(deps, paths.deviceFolder(specName));
}

/** Never through a mount. */
async function removeUnmounted({ mounter }: CsiDeps, path: string): Promise<void> {
  const mounted = (await mounter.table()).find(
    ({ mountPoint }) => mountPoint === path || mountPoint.startsWith(`${path}/`),
  );
  if (mounted !== undefined) throw csiFailure("uncertain", `${mounted.mountPoint} is still mounted`);
  rmSync(path, { recursive: true, force: true });
}

export function entriesOf(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}
