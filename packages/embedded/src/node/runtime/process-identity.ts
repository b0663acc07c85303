import { readFileSync } from "node:fs";
import { systemClock } from "@stowage/machinery";

/** What tells a process from a later one with the same id: when it started, and which start of the machine that was. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTicks: string;
  readonly bootId: string;
}

/** Of `/proc/PID/stat` and the id of the machine's start, one after the other. */
export function parseIdentity(stat: string, bootId: string): ProcessIdentity {
  return { pid: Number.parseInt(stat, 10), startTicks: fieldsOf(stat)[19] ?? "", bootId };
}

export function isAlive({ pid, startTicks, bootId }: ProcessIdentity): boolean {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === undefined) return false;
  const fields = fieldsOf(stat);
  return !isDead(fields) && fields[19] === startTicks && readProc("/proc/sys/kernel/random/boot_id")?.trim() === bootId;
}

export async function environmentOf(pid: number, read: ProcReader = readProc): Promise<Record<string, string>> {
  const pairs = (await environmentText(pid, read)).split("\0").filter((pair) => pair.includes("="));
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
}

/** A process that becomes another program has no environment for a moment. */
async function environmentText(pid: number, read: ProcReader): Promise<string> {
  for (;;) {
    const text = read(`/proc/${pid}/environ`);
    // It has ended, or is not ours to look into: then its numbers are hidden, too.
    if (text === undefined) return "";
    if (text !== "" || hasNone(read(`/proc/${pid}/stat`))) return text;
    await systemClock.sleep(1);
  }
}

/** The kernel says where the code of a new program begins when all the rest of it is there. */
function hasNone(stat: string | undefined): boolean {
  if (stat === undefined) return true;
  const fields = fieldsOf(stat);
  return isDead(fields) || (fields[23] !== "0" && fields[47] === fields[48]);
}

const isDead = ([state]: readonly string[]) => state === "Z" || state === "X";

/** The command's name is in parentheses and may hold anything, parentheses and spaces too. */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Undefined for a process that has ended, and for what may not be read. */
type ProcReader = (path: string) => string | undefined;

function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
