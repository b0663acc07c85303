import { randomBytes } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { StorageHealthErrorType as Status } from "@stowage/csi";
import type { LocalDeps } from "../local-deps.ts";
import { isDiskFull } from "../requests/refusal.ts";
import { temporarySuffix } from "../state/durable-file.ts";
import { availableBytes } from "./capacity.ts";

export interface StorageAilment {
  readonly status: Status;
  /** For programs, in CamelCase. */
  readonly reason: "DiskFull" | "StateDirectoryReadOnly" | "StateDirectoryUnreachable";
  readonly message: string;
}

/** What is wrong with the disk under all volumes. Found by writing to it: what a mount's options promise may not hold. */
export async function storageAilments(deps: LocalDeps): Promise<StorageAilment[]> {
  const { root } = deps.state.layout;
  try {
    await writeProbe(deps.state.layout.intents);
    return (await availableBytes(deps)) > 0n ? [] : [fullDisk(deps)];
  } catch (error) {
    if (isDiskFull(error)) return [fullDisk(deps)];
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    if (code === "EROFS") {
      const message = `The file system of the state directory ${root} is read-only: volumes cannot be made, changed or written to. Read the kernel's log, and mount it writable.`;
      return [{ status: Status.STORAGE_DEGRADED, reason: "StateDirectoryReadOnly", message }];
    }
    const message = `The state directory ${root} cannot be written to (${code}). Check that it is there, and its disk.`;
    return [{ status: Status.STORAGE_UNREACHABLE, reason: "StateDirectoryUnreachable", message }];
  }
}

function fullDisk({ state, options }: LocalDeps): StorageAilment {
  const beyond = options.reserveBytes > 0n ? ` beyond the reserved ${options.reserveBytes} bytes` : "";
  const message = `The file system of the state directory ${state.layout.root} has no space left${beyond}: writes to volumes may fail. Delete volumes or snapshots, or make it larger.`;
  return { status: Status.STORAGE_DEGRADED, reason: "DiskFull", message };
}

/** In a directory where a start sweeps away what a crash leaves. */
async function writeProbe(directory: string): Promise<void> {
  const path = join(directory, `probe.${randomBytes(6).toString("hex")}${temporarySuffix}`);
  try {
    const file = await open(path, "wx", 0o600);
    try {
      await file.writeFile(Buffer.alloc(4096));
      await file.sync();
    } finally {
      await file.close();
    }
  } finally {
    await rm(path, { force: true });
  }
}
