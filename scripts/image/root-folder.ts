import { chmodSync, copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TarEntry } from "@stowage/lab";
import type { ImageLayer } from "./image-layers.ts";

/** The layers as files below a folder, as a container would see them. */
export function writeRootFolder(folder: string, layers: readonly ImageLayer[]): void {
  for (const { entries } of layers) for (const entry of entries) writeEntry(join(folder, entry.path), entry);
}

function writeEntry(path: string, entry: TarEntry): void {
  if (entry.kind === "folder") {
    mkdirSync(path, { recursive: true });
    return chmodSync(path, entry.mode);
  }
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  if (entry.kind === "link") return symlinkSync(entry.target, path);
  if ("content" in entry) writeFileSync(path, entry.content);
  else copyFileSync(entry.source, path);
  // Modes given to the calls before would be cut by the umask.
  chmodSync(path, entry.mode);
}
