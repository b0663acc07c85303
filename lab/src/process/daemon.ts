import { spawn } from "node:child_process";
import { closeSync, openSync, renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasSystemCode, LabError } from "../errors.ts";
import { makePrivateFolder } from "../files.ts";
import { identifyProcess, isAlive, type ProcessIdentity } from "./identity.ts";
import { type PidRecord, removePidFile, runningDaemon, writePidFile } from "./pid-file.ts";

export interface DaemonCommand {
  readonly name: string;
  readonly file: string;
  readonly arguments: readonly string[];
  readonly version: string;
  readonly environment?: Record<string, string>;
}

const POLL_MS = 50;
const TERMINATE_WAIT_MS = 10_000;
const KILL_WAIT_MS = 5_000;

export function logFile(dir: string, name: string): string {
  return join(dir, "log", `${name}.log`);
}

/** Starts a daemon that outlives this process; its output goes to its log, and the log of the start before is kept. */
export async function startDaemon(dir: string, daemon: DaemonCommand): Promise<PidRecord> {
  const log = openLog(dir, daemon.name);
  const child = spawn(daemon.file, daemon.arguments, {
    cwd: dir,
    detached: true,
    stdio: ["ignore", log, log],
    env: { ...process.env, ...daemon.environment },
  });
  closeSync(log);
  const failure = new Promise<never>((_, reject) => child.on("error", reject));
  const spawned = new Promise<void>((resolve) => child.on("spawn", () => resolve()));
  // Remembered at once, before anything is awaited: what is not remembered cannot be stopped.
  const identity = child.pid === undefined ? undefined : identifyProcess(child.pid);
  const record = identity && { ...identity, version: daemon.version };
  if (record !== undefined) writePidFile(dir, daemon.name, record);
  child.unref();
  try {
    await Promise.race([spawned, failure]);
  } catch (error) {
    throw new LabError("NOT_STARTED", `${daemon.name} could not be started from ${daemon.file}`, { cause: error });
  }
  if (record === undefined) throw new LabError("NOT_STARTED", `${daemon.name} ended as soon as it was started`);
  return record;
}

/** SIGTERM, and SIGKILL when that is not enough. */
export async function stopDaemon(dir: string, name: string, waitMs: number = TERMINATE_WAIT_MS): Promise<void> {
  const running = runningDaemon(dir, name);
  if (running !== undefined) await endProcesses([running], waitMs);
  removePidFile(dir, name);
}

/** Kills a daemon without a warning, as a crash would, and returns when it is gone. */
export async function killDaemon(dir: string, name: string): Promise<void> {
  await stopDaemon(dir, name, 0);
}

/** SIGTERM to all, SIGKILL to those that remain after the wait; fails when one survives even that. */
export async function endProcesses(processes: readonly ProcessIdentity[], waitMs: number): Promise<void> {
  let remaining = processes.filter(isAlive);
  if (waitMs > 0) remaining = await signalAndWait(remaining, "SIGTERM", waitMs);
  remaining = await signalAndWait(remaining, "SIGKILL", KILL_WAIT_MS);
  if (remaining.length > 0) {
    const pids = remaining.map(({ pid }) => pid).join(", ");
    throw new LabError("BUSY", `process ${pids} does not end even after SIGKILL`, {
      nextStep: "it waits in the kernel, often on a mount that hangs; unmount that and run the command again",
    });
  }
}

async function signalAndWait(processes: readonly ProcessIdentity[], signal: NodeJS.Signals, waitMs: number) {
  for (const { pid } of processes) sendSignal(pid, signal);
  const giveUpAt = performance.now() + waitMs;
  let remaining = processes.filter(isAlive);
  while (remaining.length > 0 && performance.now() < giveUpAt) {
    await sleep(POLL_MS);
    remaining = remaining.filter(isAlive);
  }
  return remaining;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!hasSystemCode(error, "ESRCH")) throw error;
  }
}

function openLog(dir: string, name: string): number {
  makePrivateFolder(join(dir, "log"));
  const path = logFile(dir, name);
  try {
    renameSync(path, join(dir, "log", `${name}.previous.log`));
  } catch (error) {
    if (!hasSystemCode(error, "ENOENT")) throw error;
  }
  return openSync(path, "a", 0o600);
}
