import { readFile } from "node:fs/promises";

/** The kernel counts in ticks of 10 ms, on all machines that Node runs on. */
const TICK_MS = 10;

/** User and system time of a process since its start. */
export async function processCpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name, in parentheses, may have blanks; what follows has none.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
