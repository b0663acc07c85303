import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readlink, rm, rmdir, stat, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import type { FaultPoint } from "../fault-points.ts";
import { refusal } from "../requests/refusal.ts";
import type { NodeMounts } from "./node-mounts.ts";
import { fileSystemUsage } from "./usage.ts";

/** Directory volumes, published as symbolic links. The kernel keeps no table of those, so `registry` does: a link per target. */
export function createDirectoryMounts(registry: string, faultPoint: FaultPoint): NodeMounts {
  const nothing = async () => {};
  const entryOf = (contentPath: string, target: string) =>
    join(registry, basename(contentPath), createHash("sha256").update(target).digest("hex").slice(0, 32));
  return {
    async stage(_volume, { path }) {
      await mkdir(path, { recursive: true });
      await faultPoint("stage:path-made");
    },
    unstage: nothing,
    async publish({ record, contentPath }, { targetPath, isReadOnly }) {
      if (isReadOnly) {
        const nextStep = "Run the driver as root, or publish it writable.";
        throw refusal(
          "FAILED_PRECONDITION",
          `Volume ${record.id} is a directory, which cannot be made read-only.`,
          nextStep,
        );
      }
      await mkdir(join(registry, basename(contentPath)), { recursive: true });
      await linkOnce(targetPath, entryOf(contentPath, targetPath));
      await faultPoint("publish:registered");
      await linkOnce(contentPath, targetPath);
      await faultPoint("publish:linked");
    },
    async unpublish(contentPath, targetPath) {
      if ((await lstat(targetPath).catch(() => undefined))?.isDirectory()) await rmdir(targetPath);
      else await rm(targetPath, { force: true });
      await faultPoint("unpublish:target-removed");
      if (contentPath === undefined) return;
      await rm(entryOf(contentPath, targetPath), { force: true });
      await faultPoint("unpublish:unregistered");
      // Only the last target takes the volume's folder along.
      await rmdir(join(registry, basename(contentPath))).catch(() => {});
    },
    async uses(contentPath) {
      const uses: string[] = [];
      const folder = join(registry, basename(contentPath));
      for (const name of await readdir(folder).catch(() => [])) {
        const target = await readlink(join(folder, name));
        if ((await readlink(target).catch(() => undefined)) === contentPath) uses.push(target);
      }
      return uses;
    },
    isStagedAt: async (_volume, path) => (await stat(path).catch(() => undefined))?.isDirectory() ?? false,
    // They are on the state directory's file system, whose health is the node's storage health.
    ailments: async () => new Map(),
    growthObstacle: async () => undefined,
    grow: async ({ record }) => record.capacityBytes,
    usage: (_volume, path) => fileSystemUsage(path),
    quiesce: async () => nothing,
    thaw: nothing,
    applyAttributes: nothing,
    releaseUnused: nothing,
  };
}

async function linkOnce(content: string, path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink() && (await readlink(path)) === content) return;
  // The caller may have made the target as an empty directory.
  if (found?.isDirectory()) await rmdir(path);
  else if (found) await rm(path);
  await symlink(content, path);
}
