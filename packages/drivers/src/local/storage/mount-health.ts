import { opendir } from "node:fs/promises";
import { dirname } from "node:path";
import { isMountOf, type MountEntry } from "@stowage/csi/host";
import type { Ailment } from "./ailment.ts";
import { fileSystemOf } from "./file-systems.ts";
import type { LoopMountsDeps } from "./loop-mounts.ts";
import type { NodeMounts, NodeVolume } from "./node-mounts.ts";

/** What is wrong with the file systems of volumes that are mounted. One look at the kernel's tables does for all volumes. */
export function createMountHealth(deps: LoopMountsDeps): Pick<NodeMounts, "ailments" | "isStagedAt"> {
  return {
    async ailments(volumes) {
      const folders = new Set(volumes.map(({ contentPath }) => dirname(contentPath)));
      const devices = (await Promise.all([...folders].map((folder) => deps.loopDevices.below(folder)))).flat();
      const table = await deps.mounter.table();
      const found = new Map<string, readonly Ailment[]>();
      for (const volume of volumes) {
        const device = devices.find(({ backingFile, isReadOnly }) => backingFile === volume.contentPath && !isReadOnly);
        const mounts = table.filter((entry) => device !== undefined && entry.source === device.path);
        found.set(volume.record.id, await fileSystemAilments(deps, volume, mounts));
      }
      return found;
    },
    async isStagedAt({ record, contentPath }, path) {
      // Nothing is at a raw volume's staging path, and publishing attaches the device if a restart has let it go.
      if (record.access === "block") return true;
      const devices = await deps.loopDevices.of(contentPath).catch(() => []);
      const table = await deps.mounter.table();
      return table.some(
        (entry) => entry.mountPoint === path && devices.some((device) => isMountOf(entry, device.path)),
      );
    },
  };
}

async function fileSystemAilments(
  deps: LoopMountsDeps,
  { record }: NodeVolume,
  mounts: readonly MountEntry[],
): Promise<Ailment[]> {
  const [first] = mounts;
  if (!first) return [];
  const where = `The ${record.fsType} of volume ${record.id}, mounted at ${first.mountPoint},`;
  if (await isShutDown(first)) {
    const message = `${where} was shut down by the kernel after an error; stop the Pods that use it, so that it is mounted anew.`;
    return [{ status: "inaccessible", reason: "FileSystemShutDown", message }];
  }
  const target = { device: first.source, mountPath: first.mountPoint };
  // It may have been unmounted since: then there is nothing to tell.
  const errors = await fileSystemOf(record.fsType)
    ?.errorsOf(deps.executor, target)
    .catch(() => undefined);
  const ailments: Ailment[] = [];
  if (errors !== undefined) {
    const message = `${where} has met errors (${errors}); stop the Pods that use it and check it.`;
    ailments.push({ status: "degraded", reason: "FileSystemErrors", message });
  }
  if (hasBecomeReadOnly(mounts)) {
    const message = `${where} has become read-only; read the kernel's log, and stop the Pods that use it, so that it is mounted anew.`;
    ailments.push({ status: "degraded", reason: "FileSystemReadOnly", message });
  }
  return ailments;
}

/**
 * Whoever asks for a read-only mount gets it at that mount point. A file system that is read-only below a writable mount has
 * become so: after an error, or by somebody's remount elsewhere.
 */
export function hasBecomeReadOnly(mounts: readonly MountEntry[]): boolean {
  return mounts.some(
    ({ options, superOptions }) =>
      superOptions.includes("emergency_ro") || (options.includes("rw") && superOptions.includes("ro")),
  );
}

async function isShutDown({ superOptions, mountPoint }: MountEntry): Promise<boolean> {
  if (superOptions.includes("shutdown")) return true;
  try {
    const directory = await opendir(mountPoint);
    try {
      await directory.read();
    } finally {
      await directory.close();
    }
    return false;
  } catch (error) {
    // Not ENOENT and the like: it may have been unmounted since.
    return (error as NodeJS.ErrnoException).code === "EIO";
  }
}
