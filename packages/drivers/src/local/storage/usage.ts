import { statfs } from "node:fs/promises";
import type { VolumeUsage } from "./node-mounts.ts";

export async function fileSystemUsage(path: string): Promise<VolumeUsage> {
  const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(path, { bigint: true });
  return {
    totalBytes: blocks * bsize,
    files: {
      usedBytes: (blocks - bfree) * bsize,
      availableBytes: bavail * bsize,
      totalInodes: files,
      usedInodes: files - ffree,
      availableInodes: ffree,
    },
  };
}
