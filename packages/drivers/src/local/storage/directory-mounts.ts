import { createHash } from "node:crypto";
import { mkdir, readdir, readlink, rm, rmdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { FaultPoint } from "../fault-points.ts";
import { refusal } from "../requests/refusal.ts";
import { type DirectoryPlacement, linkPlacement } from "./directory-placement.ts";
import type { NodeMounts } from "./node-mounts.ts";
import { fileSystemUsage } from "./usage.ts";

export interface DirectoryMountsDeps {
  /** Where it is kept which volume is published where, by a link for each: the kernel has no table of links. */
  readonly registry: string;
  readonly placement: DirectoryPlacement;
  readonly faultPoint: FaultPoint;
}

/** Directory volumes, published as symbolic links or bound, as the driver can. */
export function createDirectoryMounts({ registry, placement, faultPoint }: DirectoryMountsDeps): NodeMounts {
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
      if (isReadOnly && !placement.canBeReadOnly) {
        const nextStep = "Run the driver as root, or publish it writable.";
        throw refusal(
          "FAILED_PRECONDITION",
          `Volume ${record.id} is a directory, which cannot be made read-only.`,
          nextStep,
        );
      }
      await mkdir(join(registry, basename(contentPath)), { recursive: true });
      await linkPlacement.put(targetPath, entryOf(contentPath, targetPath), false);
      await faultPoint("publish:registered");
      await placement.put(contentPath, targetPath, isReadOnly);
      await faultPoint("publish:linked");
    },
    async unpublish(contentPath, targetPath) {
      await placement.take(targetPath);
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
        if (await placement.isAt(contentPath, target)) uses.push(target);
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
