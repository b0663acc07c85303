import { mkdir, open, rm, rmdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { isMountOf, mountAt, unmountAll } from "@stowage/csi/host";
import { refusal } from "../requests/refusal.ts";
import { sizeOf } from "./file-systems.ts";
import { createImageGrowth } from "./image-growth.ts";
import { createQuiescence } from "./image-quiescence.ts";
import { attachVolume, detachUnused, type LoopMountsDeps, mountsOfImage, mountVolume } from "./loop-mounts.ts";
import { createMountHealth } from "./mount-health.ts";
import type { NodeMounts, NodeVolume, PublishRequest } from "./node-mounts.ts";
import { fileSystemUsage } from "./usage.ts";

/** Volumes from image files: a loop device each, their file system mounted at the staging path and bound to the targets. */
export function createImageMounts(deps: LoopMountsDeps): NodeMounts {
  return {
    async stage(volume, request) {
      if (volume.record.access === "block") {
        // It may have been attached before it was expanded.
        await deps.loopDevices.refreshSize(await attachVolume(deps, volume, false));
        return;
      }
      await mkdir(request.path, { recursive: true });
      await deps.faultPoint("stage:path-made");
      await mountVolume(deps, volume, request);
    },
    async unstage(contentPath, stagingPath) {
      await unmountAll(deps.mounter, stagingPath);
      await deps.faultPoint("unstage:unmounted");
      if (contentPath !== undefined) await detachUnused(deps, contentPath);
    },
    publish: (volume, request) =>
      volume.record.access === "block" ? publishBlock(deps, volume, request) : publishMount(deps, volume, request),
    async unpublish(contentPath, targetPath) {
      await unmountAll(deps.mounter, targetPath);
      await deps.faultPoint("unpublish:unmounted");
      await removeTarget(targetPath);
      await deps.faultPoint("unpublish:target-removed");
      // What is staged is mounted and stays. A raw device is attached again when it is next published.
      if (contentPath !== undefined) await detachUnused(deps, contentPath);
    },
    async uses(contentPath) {
      return [...new Set((await mountsOfImage(deps, contentPath)).map(({ entry }) => entry.mountPoint))];
    },
    async usage(volume, path) {
      return volume.record.access === "block"
        ? { totalBytes: await publishedBytes(deps, volume, path) }
        : fileSystemUsage(path);
    },
    async applyAttributes({ contentPath, record }) {
      for (const device of await deps.loopDevices.of(contentPath)) await deps.ioLimits.apply(device, record.attributes);
    },
    async releaseUnused(contentsDirectory) {
      const table = await deps.mounter.table();
      for (const device of await deps.loopDevices.below(contentsDirectory)) {
        if (!table.some((entry) => isMountOf(entry, device.path))) await deps.loopDevices.detach(device);
      }
    },
    ...createImageGrowth(deps),
    ...createMountHealth(deps),
    ...createQuiescence(deps),
  };
}

async function publishMount(deps: LoopMountsDeps, volume: NodeVolume, request: PublishRequest): Promise<void> {
  const { targetPath, stagingPath } = request;
  // Before the target is made: what is refused leaves nothing behind.
  const devices = stagingPath === undefined ? [] : await stagedDevices(deps, volume, stagingPath);
  await mkdir(targetPath, { recursive: true });
  await deps.faultPoint("publish:target-made");
  if (stagingPath === undefined) {
    await mountVolume(deps, volume, { path: targetPath, mountFlags: request.mountFlags });
  } else {
    await bindOnce(deps, { source: stagingPath, targetPath, devices });
  }
  await ensureReadOnly(deps, volume, request);
}

/** The volume's devices, one of which is mounted at the staging path. */
async function stagedDevices(deps: LoopMountsDeps, volume: NodeVolume, stagingPath: string): Promise<string[]> {
  const staged = await mountAt(deps.mounter, stagingPath);
  const devices = (await deps.loopDevices.of(volume.contentPath)).map(({ path }) => path);
  if (staged && devices.some((device) => isMountOf(staged, device))) return devices;
  throw refusal(
    "FAILED_PRECONDITION",
    `Volume ${volume.record.id} is not staged at ${stagingPath}.`,
    "Call NodeStageVolume first.",
  );
}

async function publishBlock(deps: LoopMountsDeps, volume: NodeVolume, request: PublishRequest): Promise<void> {
  // A read-only binding of a device node does not keep anyone from writing to the device: a device of its own does.
  const device = await attachVolume(deps, volume, request.isReadOnly);
  await mkdir(dirname(request.targetPath), { recursive: true });
  await (await open(request.targetPath, "a", 0o660)).close();
  await deps.faultPoint("publish:target-made");
  await bindOnce(deps, { source: device.path, targetPath: request.targetPath, devices: [device.path] });
}

/** Of the device as whoever uses it sees it: an image that was expanded is larger until the node has been told. */
async function publishedBytes(deps: LoopMountsDeps, { contentPath }: NodeVolume, path: string): Promise<bigint> {
  const entry = await mountAt(deps.mounter, path);
  const devices = await deps.loopDevices.of(contentPath);
  const device = devices.find((each) => entry !== undefined && isMountOf(entry, each.path));
  return sizeOf(deps.executor, device?.path ?? contentPath);
}

interface Binding {
  readonly source: string;
  readonly targetPath: string;
  /** A mount at the target that is of one of these is ours already. */
  readonly devices: readonly string[];
}

async function bindOnce(deps: LoopMountsDeps, { source, targetPath, devices }: Binding): Promise<void> {
  const present = await mountAt(deps.mounter, targetPath);
  if (present && devices.some((device) => isMountOf(present, device))) return;
  if (present) {
    const nextStep = `Unmount ${targetPath}, or publish the volume elsewhere.`;
    throw refusal("ALREADY_EXISTS", `Something else (${present.source}) is mounted at ${targetPath}.`, nextStep);
  }
  await deps.mounter.bind(source, targetPath);
  await deps.faultPoint("publish:bound");
}

/** A crash may have come between binding and making it read-only: the latter is then made up for. */
async function ensureReadOnly(deps: LoopMountsDeps, { record }: NodeVolume, request: PublishRequest): Promise<void> {
  const entry = await mountAt(deps.mounter, request.targetPath);
  const isReadOnly = entry?.options.includes("ro") ?? false;
  if (request.isReadOnly && !isReadOnly) {
    await deps.mounter.makeReadOnly(request.targetPath);
    await deps.faultPoint("publish:made-read-only");
  }
  if (!request.isReadOnly && isReadOnly && !request.mountFlags.includes("ro")) {
    throw refusal(
      "ALREADY_EXISTS",
      `Volume ${record.id} is published read-only at ${request.targetPath}.`,
      "Unpublish it before publishing it writable.",
    );
  }
}

async function removeTarget(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) await rmdir(path);
  else await rm(path, { force: true });
}
