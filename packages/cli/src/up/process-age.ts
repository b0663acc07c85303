import { readFileSync } from "node:fs";

/** What the kernel counts the starts of processes in, on every machine that Node runs on. */
const TICKS_PER_SECOND = 100;

/** When a process was started, in the kernel's own count; undefined when there is none of that number. */
export function processStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" ? undefined : fields[18];
  } catch {
    return undefined;
  }
}

/** How long ago this process was started, whatever program it was then: the set-up becomes the command, and the command itself anew. */
export function processAgeMs(): number {
  const start = processStart(process.pid);
  if (start === undefined) return process.uptime() * 1_000;
  const [uptime = "0"] = readFileSync("/proc/uptime", "utf8").split(" ");
  return (Number(uptime) - Number(start) / TICKS_PER_SECOND) * 1_000;
}
