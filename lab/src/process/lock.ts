import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasSystemCode, LabError } from "../errors.ts";
import { makePrivateFolder, temporaryName } from "../files.ts";
import { identifyProcess, isAlive, type ProcessIdentity } from "./identity.ts";

export interface LockOptions {
  readonly waitMs: number;
  /** Called once when somebody else holds the lock. */
  readonly onWait?: (owner: ProcessIdentity) => void;
  readonly signal?: AbortSignal;
}

const POLL_MS = 200;

/** One at a time among processes; a lock whose owner has died is taken over. */
export async function withLock<T>(path: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  await acquire(path, options);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

async function acquire(path: string, options: LockOptions): Promise<void> {
  makePrivateFolder(dirname(path));
  const giveUpAt = performance.now() + options.waitMs;
  for (let hasWaited = false; !tryAcquire(path); hasWaited = true) {
    const owner = readOwner(path);
    if (owner === undefined) continue;
    if (!isAlive(owner)) {
      rmSync(path, { force: true });
      continue;
    }
    if (performance.now() > giveUpAt) {
      throw new LabError("BUSY", `process ${owner.pid} has held ${path} for too long`, {
        nextStep: "wait for it or end it, and run the command again",
      });
    }
    if (!hasWaited) options.onWait?.(owner);
    await sleep(POLL_MS, undefined, { signal: options.signal });
  }
}

/** The owner is written before the lock appears, so that a lock without an owner never exists. */
function tryAcquire(path: string): boolean {
  const mine = temporaryName(path);
  writeFileSync(mine, JSON.stringify(identifyProcess(process.pid)), { mode: 0o600 });
  try {
    linkSync(mine, path);
    return true;
  } catch (error) {
    if (hasSystemCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}

function readOwner(path: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as ProcessIdentity;
  } catch (error) {
    if (hasSystemCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
