import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Executor } from "@stowage/csi/host";

const blockDevices = "/sys/block";

/**
 * Keeps a device open from outside of this process, by a loop device on top of it: a device whose name were taken by another one meanwhile
 * would be given to containers without anybody noticing.
 */
export async function pinDevice(executor: Executor, path: string): Promise<void> {
  if (pinOf(path) === undefined) await executor.run(["losetup", "-f", path]);
}

export async function unpinDevice(executor: Executor, path: string): Promise<void> {
  const pin = pinOf(path);
  if (pin !== undefined) await executor.run(["losetup", "-d", pin]);
}

/** The kernel knows best which one it is: the agent may have been restarted since. */
function pinOf(path: string): string | undefined {
  const loops = readdirSync(blockDevices).filter((name) => name.startsWith("loop"));
  const name = loops.find((each) => backingFile(each) === path);
  return name === undefined ? undefined : join("/dev", name);
}

function backingFile(name: string): string | undefined {
  const read = (file: string) => readFileSync(join(blockDevices, name, "loop", file), "utf8");
  try {
    const text = read("backing_file");
    // Detached, and gone when the last who looks at it lets go: it holds nothing any more.
    if (read("autoclear").trim() === "1") return undefined;
    return text.trim().replace(/ ?\(deleted\)$/u, "");
  } catch {
    return undefined; // It is not in use.
  }
}
