import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hasSystemCode } from "../errors.ts";
import { writeFileAtomically } from "../files.ts";
import { isAlive, type ProcessIdentity } from "./identity.ts";

/** What is remembered of a daemon: enough to find it again, and never to stop another process in its place. */
export interface PidRecord extends ProcessIdentity {
  readonly version: string;
}

function pidFile(dir: string, name: string): string {
  return join(dir, "pid", `${name}.json`);
}

export function writePidFile(dir: string, name: string, record: PidRecord): void {
  writeFileAtomically(pidFile(dir, name), `${JSON.stringify(record)}\n`);
}

export function removePidFile(dir: string, name: string): void {
  rmSync(pidFile(dir, name), { force: true });
}

/** The daemon that was started under the name, when it still runs. */
export function runningDaemon(dir: string, name: string): PidRecord | undefined {
  const record = readPidFile(pidFile(dir, name));
  return record !== undefined && isAlive(record) ? record : undefined;
}

function readPidFile(path: string): PidRecord | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as PidRecord;
  } catch (error) {
    if (hasSystemCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
