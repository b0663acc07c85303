import { readdirSync, readFileSync } from "node:fs";
import { isAlive, type ProcessIdentity, parseIdentity } from "../process-identity.ts";

/** How long those may take to end who are told that their terminal is gone. */
const GRACE_MS = 2_000;

/**
 * Whoever has a terminal: the last of a chain of processes, each the only child of the one before. Looked for before it has children of
 * its own.
 */
export function terminalLeader(ancestor: number): ProcessIdentity | undefined {
  const childOf = new Map(readStats().map((stat) => [parentOf(stat), stat]));
  const bootId = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  let last: string | undefined;
  for (let stat = childOf.get(ancestor); stat !== undefined; stat = childOf.get(Number.parseInt(stat, 10))) last = stat;
  return last === undefined ? undefined : parseIdentity(last, bootId);
}

/** The leader hears of the end of its terminal and may take a while. One that does not end is ended, and with it what is in front. */
export function endLeaderLater(leader: ProcessIdentity): void {
  setTimeout(() => {
    if (isAlive(leader)) process.kill(leader.pid, "SIGKILL");
  }, GRACE_MS).unref();
}

function readStats(): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      return /^\d+$/u.test(pid) ? [readFileSync(`/proc/${pid}/stat`, "utf8")] : [];
    } catch {
      return []; // It has just ended.
    }
  });
}

/** After the name, which is in parentheses and may hold anything, and the state. */
function parentOf(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}
