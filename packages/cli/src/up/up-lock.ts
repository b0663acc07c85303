import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StowageError } from "@stowage/machinery";
import { processStart } from "./process-age.ts";

/** Who runs a cluster: its process, and when that was started, since numbers are used again. */
export interface UpOwner {
  readonly pid: number;
  readonly startedAt: string;
}

/** One `up` at a time in a state directory. One that was killed leaves its file, which tells nobody anything any more. */
export function lockState(stateDir: string): Disposable {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const path = lockPath(stateDir);
  const own: UpOwner = { pid: process.pid, startedAt: processStart(process.pid) ?? "" };
  for (;;) {
    try {
      writeFileSync(path, JSON.stringify(own), { flag: "wx", mode: 0o600 });
      return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const owner = runningOwner(stateDir);
    if (owner !== undefined) {
      throw new StowageError("UP_RUNNING", `another stowage up (process ${owner.pid}) runs the cluster in ${stateDir}`);
    }
    rmSync(path, { force: true });
  }
}

/** Who runs the cluster of a state directory; undefined when nobody does. */
export function runningOwner(stateDir: string): UpOwner | undefined {
  try {
    const owner = JSON.parse(readFileSync(lockPath(stateDir), "utf8")) as UpOwner;
    return processStart(owner.pid) === owner.startedAt ? owner : undefined;
  } catch {
    return undefined; // There is none, or it was killed while it wrote its name.
  }
}

function lockPath(stateDir: string): string {
  return join(stateDir, "up.json");
}
