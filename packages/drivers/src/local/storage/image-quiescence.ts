import { type LoopMountsDeps, mountsOfImage } from "./loop-mounts.ts";
import type { NodeMounts } from "./node-mounts.ts";

/** Holds a volume's writers while it is copied, so that the copy is of one moment. Raw devices can only be flushed. */
export function createQuiescence(deps: LoopMountsDeps): Pick<NodeMounts, "quiesce" | "thaw"> {
  const thaw = async (image: string) => {
    for (const path of (await mountPathsOf(deps, image)).fileSystems) {
      // Exit code 1: it was not frozen.
      await deps.executor.run(["fsfreeze", "--unfreeze", path], { acceptedExitCodes: [1] });
      await deps.faultPoint("quiesce:thawed");
    }
  };
  return {
    thaw,
    async quiesce(image) {
      const { fileSystems, devices } = await mountPathsOf(deps, image);
      for (const device of devices) await deps.executor.run(["blockdev", "--flushbufs", device]);
      for (const path of fileSystems) {
        await deps.executor.run(["fsfreeze", "--freeze", path]);
        await deps.faultPoint("quiesce:frozen");
      }
      return () => thaw(image);
    },
  };
}

/** One mount is enough for a file system: freezing is of the file system, not of the mount. */
async function mountPathsOf(deps: LoopMountsDeps, image: string) {
  const mounts = await mountsOfImage(deps, image);
  const fileSystem = mounts.find(({ device, entry }) => entry.source === device.path);
  const raw = mounts.filter(({ device, entry }) => entry.source !== device.path);
  return {
    fileSystems: fileSystem ? [fileSystem.entry.mountPoint] : [],
    devices: new Set(raw.map(({ device }) => device.path)),
  };
}
