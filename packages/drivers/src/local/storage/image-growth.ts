import { stat } from "node:fs/promises";
import { refusal } from "../requests/refusal.ts";
import { fileSystemOf } from "./file-systems.ts";
import { type LoopMountsDeps, mountsOfImage } from "./loop-mounts.ts";
import type { NodeMounts, NodeVolume } from "./node-mounts.ts";

/** Growing volumes that are in use. Those that are not grow when they are staged. */
export function createImageGrowth(deps: LoopMountsDeps): Pick<NodeMounts, "grow" | "growthObstacle"> {
  return {
    growthObstacle: (volume) => ext4Obstacle(deps, volume),
    async grow(volume) {
      for (const device of await deps.loopDevices.of(volume.contentPath)) await deps.loopDevices.refreshSize(device);
      await deps.faultPoint("grow:device-resized");
      if (volume.record.access === "mount") await growMounted(deps, volume);
      await deps.faultPoint("grow:file-system-grown");
      return (await stat(volume.contentPath, { bigint: true })).size;
    },
  };
}

async function ext4Obstacle(deps: LoopMountsDeps, { record, contentPath }: NodeVolume) {
  if (record.fsType !== "ext4" || (await deps.canGrowMountedExt4())) return undefined;
  const [use] = await mountsOfImage(deps, contentPath);
  if (!use) return undefined;
  return {
    complaint: `Volume ${record.id} is an ext4 in use at ${use.entry.mountPoint}, and the kernel grows a mounted ext4 only for processes with CAP_SYS_RESOURCE, which this driver lacks.`,
    nextStep:
      "Stop the Pods that use it (it grows when it is next mounted), give the driver CAP_SYS_RESOURCE, or use xfs.",
  };
}

async function growMounted(deps: LoopMountsDeps, volume: NodeVolume): Promise<void> {
  const fileSystem = fileSystemOf(volume.record.fsType);
  const mounts = await mountsOfImage(deps, volume.contentPath);
  const writable = mounts.find(({ entry }) => !entry.options.includes("ro")) ?? mounts[0];
  if (!fileSystem || !writable) return;
  const target = { device: writable.device.path, mountPath: writable.entry.mountPoint };
  try {
    await fileSystem.growMounted(deps.executor, target);
  } catch (error) {
    const obstacle = await ext4Obstacle(deps, volume);
    if (obstacle) throw refusal("FAILED_PRECONDITION", obstacle.complaint, obstacle.nextStep);
    throw error;
  }
}
