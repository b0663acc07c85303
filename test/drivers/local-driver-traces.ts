import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * A folder for a driver: `state` is its own, `kubelet` is where it may mount. In memory, where nobody waits for a disk: what a kill
 * leaves behind is the same, and more of them fit in the same time.
 */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "stowage-crash-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=4g,mode=700", "tmpfs", folder]);
  mkdirSync(join(folder, "kubelet"));
  return folder;
}

export interface SeenMount {
  readonly point: string;
  readonly isReadOnly: boolean;
  /** The device, or for a device node that is bound, where devices are. */
  readonly source: string;
  /** What of it is mounted: for a device node that is bound, its name. */
  readonly root: string;
}

/** What the kernel has mounted below the folder, in the order in which it was mounted. */
export const mountsBelow = (folder: string) => mountTable().filter(({ point }) => point.startsWith(`${folder}/`));

const isMountPoint = (folder: string) => mountTable().some(({ point }) => point === folder);

function mountTable(): SeenMount[] {
  const lines = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  return lines
    .map((line) => line.split(" - ").map((half) => half.split(" ")))
    .map(([before = [], after = []]) => ({
      point: before[4] ?? "",
      isReadOnly: before[5]?.split(",").includes("ro") ?? false,
      source: after[1] ?? "",
      root: before[3] ?? "",
    }));
}

export const isMountOf = ({ source, root }: SeenMount, device: string) => source === device || `/dev${root}` === device;

export interface SeenLoop {
  readonly device: string;
  /** Ends in ` (deleted)` when the file is gone. */
  readonly backingFile: string;
  readonly isReadOnly: boolean;
}

/**
 * The loop devices whose files lie below the folder. One that was detached is none, though the kernel keeps it for whoever looks at it: a
 * `losetup` that lists all devices opens each of them for a moment.
 */
export function loopsBelow(folder: string): SeenLoop[] {
  const names = readdirSync("/sys/block").filter((name) => name.startsWith("loop"));
  return names.flatMap((name) => {
    try {
      const backingFile = readFileSync(`/sys/block/${name}/loop/backing_file`, "utf8").trimEnd();
      const isSet = (flag: string) => readFileSync(`/sys/block/${name}/${flag}`, "utf8").trim() === "1";
      const isOurs = backingFile.startsWith(`${folder}/`) && !isSet("loop/autoclear");
      return isOurs ? [{ device: `/dev/${name}`, backingFile, isReadOnly: isSet("ro") }] : [];
    } catch {
      // Only attached devices have a file.
      return [];
    }
  });
}

/** Every file below the folder, by its path in there. */
export function filesBelow(folder: string): string[] {
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).sort();
}

/** Unmounts and detaches what lies below the folder, and nothing else. */
export async function discard(folder: string): Promise<void> {
  for (const { point } of mountsBelow(folder).toReversed()) {
    // A test that found a frozen file system has failed; nothing that waits for it ends before it is thawed.
    await run("fsfreeze", ["--unfreeze", point]).catch(() => {});
    await run("umount", [point]);
  }
  for (const { device } of loopsBelow(folder)) await run("losetup", ["--detach", device]);
  // Not at once: the kernel may hold on to a detached device, and so to its image, for a moment.
  if (isMountPoint(folder)) await run("umount", ["--lazy", folder]);
  rmSync(folder, { recursive: true });
}
