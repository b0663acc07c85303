import { readFile } from "node:fs/promises";

export interface ProcessMemory {
  readonly rssBytes: number;
  /** Of it, what is the process's own: heaps and stacks. The rest are files, most of it Node's program, shared by its processes. */
  readonly anonymousBytes: number;
  /** What is shared counts in proportion. */
  readonly pssBytes: number;
}

export async function processMemory(pid: number): Promise<ProcessMemory> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
  const bytesOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1]) * 1024;
  return { rssBytes: bytesOf("Rss"), anonymousBytes: bytesOf("Anonymous"), pssBytes: bytesOf("Pss") };
}

/** The process that does the work: the command's launcher stays in between and passes signals on. */
export async function workingProcess(launcherPid: number): Promise<number> {
  const children = await readFile(`/proc/${launcherPid}/task/${launcherPid}/children`, "utf8");
  const [child] = children.trim().split(" ");
  return child === undefined || child === "" ? launcherPid : workingProcess(Number(child));
}
