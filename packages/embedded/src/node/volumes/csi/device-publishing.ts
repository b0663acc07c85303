import { closeSync, mkdirSync, openSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { mountAt, unmountAll } from "@stowage/csi/host";
import { askedCapability, type CsiDeps, nodeCalls } from "./driver-access.ts";
import { pinDevice, unpinDevice } from "./loop-pin.ts";
import { type PublishWish, toldOfPod } from "./publishing.ts";
import { readVolumeData } from "./volume-data.ts";
import { csiFailure } from "./volume-failure.ts";
import { makeVolumeFolder } from "./volume-folder.ts";

/** Has the driver bring a block device to one Pod. */
export async function publishDevice(deps: CsiDeps, wish: PublishWish, signal: AbortSignal): Promise<void> {
  const { pod, volume, publishContext } = wish;
  const node = nodeCalls(deps, volume.driver, "blockMapper.MapPodDevice failed to get CSI client");
  const told = await toldOfPod(deps, wish);
  const targetPath = deps.paths.publishedDevice(volume.specName, pod.metadata.uid ?? "");
  // The Pod's own folder too: by it what is left of a Pod is found, should nobody know it any more.
  for (const path of [targetPath, deps.paths.podDevice(pod.metadata.uid ?? "", volume.specName)]) {
    makeVolumeFolder(dirname(path), `blockMapper.publishVolumeForBlock failed to create dir ${dirname(path)}:`);
  }
  const volumeCapability = await askedCapability(node, volume, undefined, signal);
  const { volumeHandle: volumeId, isReadOnly: readonly } = volume;
  const stagingTargetPath = deps.paths.stagedDevice(volume.specName).path;
  const paths = { stagingTargetPath, targetPath };
  await node.nodePublishVolume({ volumeId, readonly, ...paths, publishContext, volumeCapability, ...told }, { signal });
}

/** The device itself, wherever the driver's links lead. */
export function devicePath({ paths }: CsiDeps, specName: string, podUid: string): string {
  return realpathSync(paths.publishedDevice(specName, podUid));
}

/** Puts a published device where the Pod's containers get it, and keeps it from being replaced. */
export async function mapDevice(deps: CsiDeps, specName: string, podUid: string): Promise<void> {
  const { paths, mounter, executor } = deps;
  const device = devicePath(deps, specName, podUid);
  const map = join(paths.deviceMaps(specName), podUid);
  mkdirSync(dirname(map), { recursive: true, mode: 0o750 });
  if ((await mountAt(mounter, map)) === undefined) {
    closeSync(openSync(map, "a", 0o750));
    await mounter.bind(device, map);
  }
  const link = paths.podDevice(podUid, specName);
  rmSync(link, { force: true });
  symlinkSync(device, link);
  await pinDevice(executor, map);
}

/** Takes it from the Pod. */
export async function unpublishDevice(
  deps: CsiDeps,
  { podUid, specName }: { readonly podUid: string; readonly specName: string },
  signal: AbortSignal,
): Promise<void> {
  const { paths, mounter, executor, clock } = deps;
  const map = join(paths.deviceMaps(specName), podUid);
  await unpinDevice(executor, map);
  rmSync(paths.podDevice(podUid, specName), { force: true });
  await unmountAll(mounter, map, clock);
  rmSync(map, { force: true });
  const data = readVolumeData(paths.stagedDevice(specName).dataPath);
  if (data === undefined) return;
  const node = nodeCalls(deps, data.driverName, "blockMapper.UnmapPodDevice failed to get CSI client");
  const targetPath = paths.publishedDevice(specName, podUid);
  try {
    await node.nodeUnpublishVolume({ volumeId: data.volumeHandle, targetPath }, { signal });
  } catch (error) {
    throw csiFailure("uncertain", "blockMapper.unpublishVolumeForBlock failed", error);
  }
}
