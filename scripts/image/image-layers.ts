import { existsSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { findCommand, folderEntries, programEntries, rootFileSystem, type TarEntry, toolEntries } from "@stowage/lab";
import { buildBundle } from "../bundle/build-bundle.ts";
import { cloudSdkEntries } from "./cloud-sdk.ts";
import { accountFiles, commandText, imageParts } from "./image-table.ts";

export interface ImageLayer {
  readonly title: string;
  readonly entries: readonly TarEntry[];
}

/** From what changes least to what changes with every version: a registry and a node keep the others. */
export async function imageLayers(node: string = process.execPath): Promise<ImageLayer[]> {
  return [
    { title: "file system tools", entries: await toolsLayer() },
    { title: `Node ${process.version}`, entries: foldersFirst(await programEntries(node, imageParts.nodePath)) },
    { title: "stowage", entries: foldersFirst(await programLayer()) },
  ];
}

async function toolsLayer(): Promise<TarEntry[]> {
  const { tools, files, packages } = imageParts;
  const missing = [...tools.filter((name) => findCommand(name) === undefined), ...files.filter((f) => !existsSync(f))];
  if (missing.length > 0) {
    throw new Error(
      `${missing.join(", ")} must be on this machine to be put into the image; Debian has them in ${packages.join(", ")}`,
    );
  }
  const entries: TarEntry[] = [
    { kind: "link", path: "bin/sh", target: "dash" },
    ...Object.entries(accountFiles).map(([path, text]) => textEntry(path, text)),
    ...files.map((source): TarEntry => ({ kind: "file", path: source.slice(1), mode: 0o644, source })),
  ];
  for (const name of tools) entries.push(...(await toolEntries(name, realpathSync(findCommand(name) ?? name))));
  return rootFileSystem(entries);
}

async function programLayer(): Promise<TarEntry[]> {
  const folder = imageParts.programFolder;
  const placed = (entry: TarEntry): TarEntry => ({ ...entry, path: `${folder}/${entry.path}` });
  return [
    { kind: "file", path: imageParts.commandPath, mode: 0o755, content: Buffer.from(commandText) },
    ...folderEntries(await buildBundle())
      .map(readable)
      .map(placed),
    ...(await cloudSdkEntries()).map(placed),
  ];
}

/** By everybody, and with the same modes whatever the umask was that the bundle was made under. */
function readable(entry: TarEntry): TarEntry {
  if (entry.kind === "link") return entry;
  return { ...entry, mode: entry.kind === "folder" ? 0o755 : 0o644 };
}

function textEntry(path: string, text: string): TarEntry {
  return { kind: "file", path, mode: 0o644, content: Buffer.from(text) };
}

/** Each path once, sorted, after the folders that it is in. */
function foldersFirst(entries: readonly TarEntry[]): TarEntry[] {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  for (const { path } of entries) {
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
      if (!byPath.has(folder)) byPath.set(folder, { kind: "folder", path: folder, mode: 0o755 });
    }
  }
  return [...byPath.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
}
