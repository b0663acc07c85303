import { existsSync, realpathSync } from "node:fs";
import { findCommand } from "../node/commands.ts";
import { runCommand } from "../process/command.ts";
import type { ImageConfiguration } from "./image-archive.ts";
import { programEntries, relative, toolEntries } from "./program-files.ts";
import { rootFileSystem } from "./root-file-system.ts";
import type { TarEntry } from "./tar.ts";

export interface LabImage extends ImageConfiguration {
  readonly name: string;
  readonly entries: readonly TarEntry[];
}

/** The images that a node of the lab has; no registry is asked for any other. */
export const imageReferences = {
  pause: "local/pause:1",
  busybox: "local/busybox:1",
  /** bash, what makes and mounts file systems, and Node. */
  tools: "local/tools:1",
} as const;

const TOOLS = [
  ..."bash dash cat cp mv ln ls mkdir mktemp rm rmdir touch chmod chown sleep dd sync stat df du grep sed sort id env hostname tar sha256sum".split(
    " ",
  ),
  ..."mount umount findmnt losetup blkid lsblk blockdev wipefs mkfs.ext4 fsck.ext4 resize2fs mkfs.xfs xfs_growfs mkfs.btrfs".split(
    " ",
  ),
];

export async function desiredImages(pauseProgram: string): Promise<LabImage[]> {
  return [pauseImage(pauseProgram), await busyboxImage(), await toolsImage()];
}

function pauseImage(source: string): LabImage {
  const entries: TarEntry[] = [{ kind: "file", path: "pause", mode: 0o755, source }];
  return { name: "pause", reference: imageReferences.pause, entrypoint: ["/pause"], entries };
}

async function busyboxImage(): Promise<LabImage> {
  const source = findCommand("busybox") ?? "busybox";
  const applets = (await runCommand(source, ["--list"])).stdout.trim().split("\n");
  const links = applets
    .filter((applet) => applet !== "busybox")
    .map((applet): TarEntry => ({ kind: "link", path: `bin/${applet}`, target: "busybox" }));
  const entries = rootFileSystem([...(await programEntries(source, "bin/busybox")), ...links]);
  return { name: "busybox", reference: imageReferences.busybox, command: ["sh"], entries };
}

/** Tools that this machine does not have are left out. */
async function toolsImage(): Promise<LabImage> {
  const entries: TarEntry[] = [{ kind: "link", path: "bin/sh", target: "dash" }];
  for (const name of TOOLS) {
    const found = findCommand(name);
    if (found !== undefined) entries.push(...(await toolEntries(name, realpathSync(found))));
  }
  entries.push(...(await programEntries(process.execPath, "usr/local/bin/node")));
  const mkfsDefaults = "/etc/mke2fs.conf";
  if (existsSync(mkfsDefaults))
    entries.push({ kind: "file", path: relative(mkfsDefaults), mode: 0o644, source: mkfsDefaults });
  return { name: "tools", reference: imageReferences.tools, command: ["sh"], entries: rootFileSystem(entries) };
}
