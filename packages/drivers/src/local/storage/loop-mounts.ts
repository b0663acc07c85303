import { stat } from "node:fs/promises";
import { type Executor, isMountOf, type MountEntry, type Mounter, mountAt } from "@stowage/csi/host";
import type { FaultPoint } from "../fault-points.ts";
import { refusal } from "../requests/refusal.ts";
import { fileSystemOf } from "./file-systems.ts";
import type { IoLimits } from "./io-limits.ts";
import type { LoopDevice, LoopDevices } from "./loop-devices.ts";
import type { NodeVolume } from "./node-mounts.ts";

export interface LoopMountsDeps {
  readonly executor: Executor;
  readonly loopDevices: LoopDevices;
  readonly mounter: Mounter;
  readonly ioLimits: IoLimits;
  readonly faultPoint: FaultPoint;
  /** Whether a mounted ext4 can be grown by this process. */
  readonly canGrowMountedExt4: () => Promise<boolean>;
}

export interface DeviceMount {
  readonly device: LoopDevice;
  readonly entry: MountEntry;
}

/** Where the image's devices are mounted, or bound as devices. */
export async function mountsOfImage(deps: LoopMountsDeps, image: string): Promise<DeviceMount[]> {
  const isThere = await stat(image).then(
    () => true,
    () => false,
  );
  if (!isThere) return [];
  const devices = await deps.loopDevices.of(image);
  if (devices.length === 0) return [];
  const table = await deps.mounter.table();
  return devices.flatMap((device) =>
    table.filter((entry) => isMountOf(entry, device.path)).map((entry) => ({ device, entry })),
  );
}

/** Attaches, with the volume's limits: before its first user comes. */
export async function attachVolume(deps: LoopMountsDeps, volume: NodeVolume, isReadOnly: boolean): Promise<LoopDevice> {
  if (!(await stat(volume.contentPath).catch(() => undefined))) {
    throw refusal(
      "DATA_LOSS",
      `Volume ${volume.record.id}: its image ${volume.contentPath} is not there.`,
      "Put the image back from a backup, or delete the volume.",
    );
  }
  const device = await deps.loopDevices.ensure(volume.contentPath, { isReadOnly });
  await deps.ioLimits.apply(device, volume.record.attributes);
  return device;
}

/** Mounts the volume's file system, grown to the device, unless it is mounted there already. */
export async function mountVolume(
  deps: LoopMountsDeps,
  volume: NodeVolume,
  { path, mountFlags }: { readonly path: string; readonly mountFlags: readonly string[] },
): Promise<void> {
  const { record } = volume;
  const fileSystem = fileSystemOf(record.fsType);
  if (!fileSystem) throw new Error(`volume ${record.id} has the unknown file system type ${record.fsType}`);
  const device = await attachVolume(deps, volume, false);
  const present = await mountAt(deps.mounter, path);
  if (!present || !isMountOf(present, device.path)) {
    if (await isMounted(deps, device)) await deps.loopDevices.refreshSize(device);
    else await growUnmounted(deps, device, record.fsType);
    const options = [...new Set([...fileSystem.mountOptions, ...mountFlags])];
    await deps.mounter.mount({ device: device.path, path, fsType: record.fsType, options });
    await deps.faultPoint("volume:mounted");
  }
  // Also where it was mounted already: a crash may have come between mounting and growing.
  if (!mountFlags.includes("ro") && record.fsType !== "ext4") {
    await deps.loopDevices.refreshSize(device);
    await fileSystem.growMounted(deps.executor, { device: device.path, mountPath: path });
  }
}

async function growUnmounted(deps: LoopMountsDeps, device: LoopDevice, fsType: string): Promise<void> {
  await deps.loopDevices.refreshSize(device);
  await fileSystemOf(fsType)?.growUnmounted(deps.executor, device.path);
  await deps.faultPoint("volume:grown");
}

async function isMounted(deps: LoopMountsDeps, device: LoopDevice): Promise<boolean> {
  return (await deps.mounter.table()).some((entry) => isMountOf(entry, device.path));
}

/** Detaches the image's devices that nothing is mounted from. */
export async function detachUnused(deps: LoopMountsDeps, image: string): Promise<void> {
  const used = new Set((await mountsOfImage(deps, image)).map(({ device }) => device.path));
  const devices = await stat(image).then(
    () => deps.loopDevices.of(image),
    () => [],
  );
  for (const device of devices) if (!used.has(device.path)) await deps.loopDevices.detach(device);
}
