import { readFile } from "node:fs/promises";
import type { Executor } from "@stowage/csi/host";

export const fileSystemTypes = ["ext4", "xfs", "btrfs"] as const;
export type FileSystemType = (typeof fileSystemTypes)[number];

/** A file system that is mounted. */
interface MountedTarget {
  readonly device: string;
  readonly mountPath: string;
}

export interface FileSystem {
  readonly type: FileSystemType;
  /** Below this, making it fails. */
  readonly minimumBytes: bigint;
  /** Programs that must be there for volumes of this type, the one that makes it first. */
  readonly programs: readonly string[];
  /** Options that every mount of it gets. */
  readonly mountOptions: readonly string[];
  make(executor: Executor, path: string): Promise<void>;
  /** Makes a copy distinct from its original, where the kernel would mistake one for the other. */
  makeDistinct(executor: Executor, path: string): Promise<void>;
  /** Grows an unmounted file system to its device, where it can be done unmounted. */
  growUnmounted(executor: Executor, path: string): Promise<void>;
  growMounted(executor: Executor, target: MountedTarget): Promise<void>;
  /** The errors that a mounted file system has met, if any; for people. */
  errorsOf(executor: Executor, target: MountedTarget): Promise<string | undefined>;
}

const mebibyte = 1024n * 1024n;
const longTimeoutMs = 10 * 60_000;
const nothing = async () => {};

const none = async () => undefined;

const ext4: FileSystem = {
  type: "ext4",
  minimumBytes: 8n * mebibyte,
  programs: ["mkfs.ext4", "resize2fs", "e2fsck", "dumpe2fs"],
  mountOptions: [],
  async make(executor, path) {
    // Lazily, so that a large sparse image stays sparse and takes milliseconds; no blocks set aside for root: the user pays for all.
    const lazily = "lazy_itable_init=1,lazy_journal_init=1";
    await executor.run(["mkfs.ext4", "-q", "-F", "-m", "0", "-E", lazily, path], { timeoutMs: longTimeoutMs });
  },
  makeDistinct: nothing,
  async growUnmounted(executor, path) {
    if (!(await isSmallerThanDevice(executor, path))) return;
    // resize2fs wants a fresh check. Exit code 1: errors were corrected, such as a journal that had to be replayed.
    await executor.run(["e2fsck", "-f", "-p", path], { timeoutMs: longTimeoutMs, acceptedExitCodes: [1] });
    await executor.run(["resize2fs", path], { timeoutMs: longTimeoutMs });
  },
  async growMounted(executor, { device }) {
    if (await isSmallerThanDevice(executor, device))
      await executor.run(["resize2fs", device], { timeoutMs: longTimeoutMs });
  },
  async errorsOf(_executor, { device }) {
    const path = `/sys/fs/ext4/${device.replace("/dev/", "")}/errors_count`;
    const count = (await readFile(path, "utf8").catch(() => "0")).trim();
    return count === "0" ? undefined : `${count} since it was last checked`;
  },
};

const xfs: FileSystem = {
  type: "xfs",
  minimumBytes: 300n * mebibyte,
  programs: ["mkfs.xfs", "xfs_growfs"],
  // A clone has its original's UUID, and xfs mounts a UUID once only unless told.
  mountOptions: ["nouuid"],
  async make(executor, path) {
    await executor.run(["mkfs.xfs", "-q", "-f", path], { timeoutMs: longTimeoutMs });
  },
  makeDistinct: nothing,
  growUnmounted: nothing,
  async growMounted(executor, { mountPath }) {
    await executor.run(["xfs_growfs", mountPath], { timeoutMs: longTimeoutMs });
  },
  // It keeps no count: it shuts down.
  errorsOf: none,
};

const btrfs: FileSystem = {
  type: "btrfs",
  // It can be made smaller, but the kernel refuses to resize it to less than this, and so to grow it a little.
  minimumBytes: 256n * mebibyte,
  programs: ["mkfs.btrfs", "btrfs", "btrfstune"],
  mountOptions: [],
  async make(executor, path) {
    await executor.run(["mkfs.btrfs", "-q", "-f", path], { timeoutMs: longTimeoutMs });
  },
  async makeDistinct(executor, path) {
    // Two devices of one UUID are one file system to btrfs: mounting the clone would give the original.
    await executor.run(["btrfstune", "-f", "-u", path], { timeoutMs: longTimeoutMs });
  },
  growUnmounted: nothing,
  async growMounted(executor, { mountPath }) {
    await executor.run(["btrfs", "filesystem", "resize", "max", mountPath], { timeoutMs: longTimeoutMs });
  },
  async errorsOf(executor, { mountPath }) {
    // Exit code 64: a counter is not zero.
    const argv = ["btrfs", "device", "stats", "--check", mountPath] as const;
    const { stdout } = await executor.run(argv, { acceptedExitCodes: [64] });
    const counters = stdout.matchAll(/\.(\w+)\s+([1-9]\d*)$/gm);
    const errors = [...counters].map(([, name, count]) => `${name} ${count}`);
    return errors.length === 0 ? undefined : errors.join(", ");
  },
};

const byType: Readonly<Record<FileSystemType, FileSystem>> = { ext4, xfs, btrfs };

export function fileSystemOf(type: string): FileSystem | undefined {
  return (byType as Readonly<Record<string, FileSystem>>)[type];
}

/** The type of the file system on a device or image, or empty when there is none. */
export async function detectFileSystem(executor: Executor, path: string): Promise<string> {
  // Exit code 2: nothing that is known was found.
  const argv = ["blkid", "-p", "-s", "TYPE", "-o", "value", path] as const;
  const { stdout } = await executor.run(argv, { acceptedExitCodes: [2] });
  return stdout.trim();
}

/** The programs of this file system that are not installed. */
export async function missingPrograms(executor: Executor, fileSystem: FileSystem): Promise<string[]> {
  const missing: string[] = [];
  for (const program of fileSystem.programs) {
    const { exitCode } = await executor.run(["which", program], { acceptedExitCodes: [1] });
    if (exitCode !== 0) missing.push(program);
  }
  return missing;
}

async function isSmallerThanDevice(executor: Executor, path: string): Promise<boolean> {
  const { stdout } = await executor.run(["dumpe2fs", "-h", path]);
  const field = (name: string) => BigInt(new RegExp(`^${name}:\\s+(\\d+)$`, "m").exec(stdout)?.[1] ?? 0);
  const blockBytes = field("Block size");
  return (field("Block count") + 1n) * blockBytes <= (await sizeOf(executor, path));
}

/** Of an image, or of the device that it is attached to. */
export async function sizeOf(executor: Executor, path: string): Promise<bigint> {
  if (!path.startsWith("/dev/")) return BigInt((await executor.run(["stat", "-c", "%s", path])).stdout.trim());
  return BigInt((await executor.run(["blockdev", "--getsize64", path])).stdout.trim());
}
