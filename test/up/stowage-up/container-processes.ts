import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface ContainerProcess {
  /** Of the container in its Pod. */
  readonly name: string;
  readonly pid: number;
}

/** The first process of each container of a cluster that runs, as its node has written them down. */
export function containerProcesses(stateDir: string): ContainerProcess[] {
  const nodes = join(stateDir, "cluster", "nodes");
  return foldersIn(nodes)
    .map((node) => join(nodes, node, "containers"))
    .flatMap((containers) => foldersIn(containers).flatMap((folder) => processIn(join(containers, folder))));
}

/** `f236a97e-csi-driver-0-3520d542`: Pod, container, attempt. */
const folderName = /\/[0-9a-f]{8}-(?<name>[^/]+)-\d+-[0-9a-f]{8}$/u;

function processIn(folder: string): ContainerProcess[] {
  const name = folderName.exec(folder)?.groups?.["name"];
  const [stat = "", , pid = ""] = readIfThere(join(folder, "keeper")).split("\n");
  const [keeper = ""] = stat.split(" ", 1);
  // Numbers are used again: who is told by them must be that keeper, and its child.
  const isKept = readIfThere(`/proc/${keeper}/cmdline`).includes(folder) && parentOf(pid) === keeper;
  return name === undefined || !isKept ? [] : [{ name, pid: Number(pid) }];
}

function parentOf(pid: string): string | undefined {
  return /^PPid:\s+(?<parent>\d+)$/mu.exec(readIfThere(`/proc/${pid}/status`))?.groups?.["parent"];
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // It is not there yet, or no more.
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // It has just been removed.
  }
}
