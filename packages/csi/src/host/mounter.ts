import { readFile } from "node:fs/promises";
import { type Clock, systemClock } from "@stowage/machinery";
import { CommandError } from "./command-error.ts";
import type { Executor } from "./executor.ts";
import { type MountEntry, parseMountTable } from "./mount-table.ts";

export interface MountRequest {
  readonly device: string;
  readonly path: string;
  readonly fsType: string;
  readonly options: readonly string[];
}

/** Mounts are looked up in the kernel's table at every call, never remembered. */
export interface Mounter {
  table(): Promise<MountEntry[]>;
  mount(request: MountRequest): Promise<void>;
  bind(source: string, target: string): Promise<void>;
  makeReadOnly(path: string): Promise<void>;
  /** What is mounted below it later is seen here alone. */
  makePrivate(path: string): Promise<void>;
  unmount(path: string): Promise<void>;
}

export function createMounter(executor: Executor, tablePath = "/proc/self/mountinfo"): Mounter {
  return {
    table: async () => parseMountTable(await readFile(tablePath, "utf8")),
    async mount({ device, path, fsType, options }) {
      const flags = options.length > 0 ? ["-o", options.join(",")] : [];
      await executor.run(["mount", "-t", fsType, ...flags, device, path]);
    },
    async bind(source, target) {
      await executor.run(["mount", "--bind", source, target]);
    },
    async makeReadOnly(path) {
      await executor.run(["mount", "-o", "remount,bind,ro", path]);
    },
    async makePrivate(path) {
      await executor.run(["mount", "--make-private", path]);
    },
    async unmount(path) {
      await executor.run(["umount", path]);
    },
  };
}

/** The mount that is seen at the path: the last one, when several lie on top of each other. */
export async function mountAt(mounter: Mounter, path: string): Promise<MountEntry | undefined> {
  return (await mounter.table()).findLast((entry) => entry.mountPoint === path);
}

const mostStackedMounts = 16;
const busyWaitsMs = [10, 20, 50, 100, 200, 500, 1000];

/** A crash between two steps can leave mounts on top of each other: all of them go. */
export async function unmountAll(mounter: Mounter, path: string, clock: Clock = systemClock): Promise<void> {
  for (let round = 0; round < mostStackedMounts; round++) {
    if ((await mountAt(mounter, path)) === undefined) return;
    await unmountPatiently(mounter, path, clock);
  }
  throw new Error(`${path} is still mounted after ${mostStackedMounts} unmounts`);
}

/** Whoever looks at a mount keeps it busy for a moment: a check of its health, a monitor of the node. */
async function unmountPatiently(mounter: Mounter, path: string, clock: Clock): Promise<void> {
  for (const waitMs of busyWaitsMs) {
    try {
      return await mounter.unmount(path);
    } catch (error) {
      if (!(error instanceof CommandError) || error.kind !== "failed") throw error;
    }
    await clock.sleep(waitMs);
    if ((await mountAt(mounter, path)) === undefined) return;
  }
  await mounter.unmount(path);
}
