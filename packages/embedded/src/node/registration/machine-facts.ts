import { readFileSync, statfsSync } from "node:fs";
import { arch, availableParallelism, hostname, release, totalmem } from "node:os";

/** What a node says of the machine that it is. */
export interface MachineFacts {
  /** As Go names it: `amd64`. */
  readonly architecture: string;
  readonly hostname: string;
  readonly cpus: number;
  readonly memoryBytes: bigint;
  readonly storageBytes: bigint;
  readonly kernelVersion: string;
  readonly osImage: string;
  readonly machineId: string;
  readonly bootId: string;
}

const goArchitectures: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

/** `folder` is on the file system whose size counts. */
export function readMachineFacts(folder: string): MachineFacts {
  const { blocks, bsize } = statfsSync(folder, { bigint: true });
  return {
    architecture: goArchitectures[arch()] ?? arch(),
    hostname: hostname(),
    cpus: availableParallelism(),
    memoryBytes: BigInt(totalmem()),
    storageBytes: blocks * bsize,
    kernelVersion: release(),
    osImage: prettyName(readText("/etc/os-release")),
    machineId: readText("/etc/machine-id").trim(),
    bootId: readText("/proc/sys/kernel/random/boot_id").trim(),
  };
}

function prettyName(osRelease: string): string {
  return /^PRETTY_NAME="?(.*?)"?$/m.exec(osRelease)?.[1] ?? "Linux";
}

/** Empty where a machine does not have it. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
