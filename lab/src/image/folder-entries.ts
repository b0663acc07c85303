import { readdirSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import type { TarEntry } from "./tar.ts";

/** All that is in a folder, in the order of its names; sockets and devices, which an image cannot hold, are left out. */
export function folderEntries(folder: string, below = ""): TarEntry[] {
  const names = readdirSync(join(folder, below), { withFileTypes: true });
  names.sort((left, right) => (left.name < right.name ? -1 : 1));
  return names.flatMap((found): TarEntry[] => {
    const path = join(below, found.name);
    const source = join(folder, path);
    if (found.isSymbolicLink()) return [{ kind: "link", path, target: readlinkSync(source) }];
    if (found.isFile()) return [{ kind: "file", path, mode: permissions(source), source }];
    if (!found.isDirectory()) return [];
    return [{ kind: "folder", path, mode: permissions(source) }, ...folderEntries(folder, path)];
  });
}

function permissions(path: string): number {
  return statSync(path).mode & 0o7777;
}
