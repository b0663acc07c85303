import { lstat, mkdir, readlink, rm, rmdir, stat, symlink } from "node:fs/promises";
import { type Mounter, mountAt, unmountAll } from "@stowage/csi/host";

/** How a directory is seen at another path, too. Every method may be repeated, also after a crash in the middle of it. */
export interface DirectoryPlacement {
  readonly canBeReadOnly: boolean;
  put(directory: string, target: string, isReadOnly: boolean): Promise<void>;
  take(target: string): Promise<void>;
  isAt(directory: string, target: string): Promise<boolean>;
}

/** For who may not mount anything. Whoever follows the link must see the directory where the driver does. */
export const linkPlacement: DirectoryPlacement = {
  canBeReadOnly: false,
  async put(directory, target) {
    const found = await lstat(target).catch(() => undefined);
    if (found?.isSymbolicLink() && (await readlink(target)) === directory) return;
    // The caller may have made the target as an empty directory.
    if (found?.isDirectory()) await rmdir(target);
    else if (found) await rm(target);
    await symlink(directory, target);
  },
  take: removeTarget,
  isAt: async (directory, target) => (await readlink(target).catch(() => undefined)) === directory,
};

/** For root of a user namespace, which has no loop devices: the node and other Pods see the volume wherever they see the mount. */
export function createBindPlacement(mounter: Mounter): DirectoryPlacement {
  const isAt = async (directory: string, target: string) => {
    const [one, other] = await Promise.all([stat(directory), stat(target).catch(() => undefined)]);
    return other !== undefined && one.dev === other.dev && one.ino === other.ino;
  };
  return {
    canBeReadOnly: true,
    async put(directory, target, isReadOnly) {
      await mkdir(target, { recursive: true });
      if (!(await isAt(directory, target))) await mounter.bind(directory, target);
      const isAlready = (await mountAt(mounter, target))?.options.includes("ro") ?? false;
      if (isReadOnly && !isAlready) await mounter.makeReadOnly(target);
    },
    async take(target) {
      await unmountAll(mounter, target);
      await removeTarget(target);
    },
    isAt,
  };
}

async function removeTarget(target: string): Promise<void> {
  if ((await lstat(target).catch(() => undefined))?.isDirectory()) await rmdir(target);
  else await rm(target, { force: true });
}
