import { readdirSync, readFileSync } from "node:fs";

/**
 * What tells a process from a later one with the same id: when it started, in clock ticks since the machine did, and which
 * start of the machine that was.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTicks: string;
  readonly bootId: string;
}

/** The process that has the id now; undefined when there is none, or only a zombie that nobody has waited for. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const stat = readStat(pid);
  if (stat === undefined || hasEnded(pid, stat.state)) return undefined;
  return { pid, startTicks: stat.startTicks, bootId: bootId() };
}

/** A killed process's first thread may be a zombie while others still end; until then its ports and files are in use. */
function hasEnded(pid: number, state: string): boolean {
  if (state !== "Z" && state !== "X") return false;
  try {
    return readdirSync(`/proc/${pid}/task`).length <= 1;
  } catch {
    return true;
  }
}

export function isAlive(identity: ProcessIdentity): boolean {
  const current = identifyProcess(identity.pid);
  return current !== undefined && current.startTicks === identity.startTicks && current.bootId === identity.bootId;
}

export interface ProcessStat {
  readonly state: string;
  readonly parentPid: number;
  readonly startTicks: string;
}

export function readStat(pid: number): ProcessStat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return undefined; // The process has ended.
  }
}

/** `/proc/PID/stat`: the command's name is in parentheses and may hold anything, parentheses and spaces too. */
export function parseStat(text: string): ProcessStat {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "", parentPid = ""] = fields;
  return { state, parentPid: Number(parentPid), startTicks: fields[19] ?? "" };
}

function bootId(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}
