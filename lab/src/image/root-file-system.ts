import { dirname } from "node:path";
import type { TarEntry } from "./tar.ts";

const FOLDERS = ["bin", "dev", "etc", "proc", "root", "sys", "usr/bin", "var"];

/** What every image but the pause image has: the usual folders, a writable /tmp and the user root. */
const base: readonly TarEntry[] = [
  ...FOLDERS.map((path): TarEntry => ({ kind: "folder", path, mode: 0o755 })),
  { kind: "folder", path: "tmp", mode: 0o1777 },
  { kind: "file", path: "etc/passwd", mode: 0o644, content: Buffer.from("root:x:0:0::/root:/bin/sh\n") },
  { kind: "file", path: "etc/group", mode: 0o644, content: Buffer.from("root:x:0:\n") },
];

/** The entries and what of the base they do not have, sorted, each path once and each folder before what is in it. */
export function rootFileSystem(entries: readonly TarEntry[]): TarEntry[] {
  const byPath = new Map<string, TarEntry>();
  for (const entry of [...entries, ...base]) {
    for (const folder of parents(entry.path)) {
      if (!byPath.has(folder)) byPath.set(folder, { kind: "folder", path: folder, mode: 0o755 });
    }
    if (!byPath.has(entry.path)) byPath.set(entry.path, entry);
  }
  return [...byPath.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
}

function parents(path: string): string[] {
  const parent = dirname(path);
  return parent === "." ? [] : [...parents(parent), parent];
}
