import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** What there is of a cluster on the machine, by the folder that it is kept in. */
export function leftOf(folder: string): string[] {
  return [
    ...mountsBelow(folder).map(({ target }) => `mount ${target}`),
    ...loopDevices(folder).map((name) => `loop device ${name}`),
    ...processesOf(folder).map(({ pid, words }) => `process ${pid} ${words}`),
  ];
}

export interface FoundMount {
  readonly target: string;
  readonly source: string;
  readonly fstype: string;
}

/** As `findmnt` shows them. */
export function mountsBelow(folder: string): FoundMount[] {
  const text = execFileSync("findmnt", ["--json", "--list", "--output", "TARGET,SOURCE,FSTYPE"], { encoding: "utf8" });
  const { filesystems } = JSON.parse(text) as { filesystems: FoundMount[] };
  return filesystems.filter(({ target }) => target.startsWith(`${folder}/`));
}

/** Of whose files a driver in a Pod says only the end of the path: all are looked at that are there now and were not before. */
const before = new Set(allLoopDevices());

function loopDevices(folder: string): string[] {
  return allLoopDevices().filter(
    (line) => line.includes(folder) || (line.includes(" /contents/") && !before.has(line)),
  );
}

function allLoopDevices(): string[] {
  const text = execFileSync("losetup", ["--list", "--noheadings", "--output", "NAME,BACK-FILE"], { encoding: "utf8" });
  return text.split("\n");
}

export interface FoundProcess {
  readonly pid: number;
  readonly words: string;
}

/** Those that were started with the folder in their words, and those in containers beside them. */
export function processesOf(folder: string): FoundProcess[] {
  const all = pids().map((pid) => ({ pid, words: readProcess(pid, "cmdline"), parent: parentOf(pid) }));
  const own = new Set(all.filter(({ words }) => words.includes(folder)).map(({ pid }) => pid));
  return all.filter(({ pid, parent }) => own.has(pid) || own.has(parent));
}

/** `127.0.0.1:8080`: where processes listen, of those that do. */
export function listeningAddresses(processes: readonly FoundProcess[]): string[] {
  const inodes = new Set(processes.flatMap(({ pid }) => socketInodes(pid)));
  const lines = ["tcp", "tcp6"].flatMap((file) => readFileSync(`/proc/net/${file}`, "utf8").split("\n").slice(1));
  return lines
    .map((line) => line.trim().split(/\s+/u))
    .filter(([, , , state, , , , , , inode = ""]) => state === "0A" && inodes.has(inode))
    .map(([, address = ""]) => addressText(address));
}

/** Of four bytes, the last first; longer ones are left as they are. */
function addressText(text: string): string {
  const [host = "", port = ""] = text.split(":");
  if (host.length !== 8) return `${host}:${Number.parseInt(port, 16)}`;
  const bytes = (host.match(/../gu) ?? []).map((byte) => Number.parseInt(byte, 16)).toReversed();
  return `${bytes.join(".")}:${Number.parseInt(port, 16)}`;
}

function pids(): number[] {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/u.test(name) ? [Number(name)] : []));
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(?<pid>\d+)$/mu.exec(readProcess(pid, "status"))?.groups?.["pid"] ?? 0);
}

function socketInodes(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const target = readlinkSync(`/proc/${pid}/fd/${fd}`);
      return /^socket:\[(?<inode>\d+)\]$/u.exec(target)?.groups?.["inode"] ?? [];
    });
  } catch {
    return []; // It has just ended.
  }
}

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8").replaceAll("\0", " ");
  } catch {
    return ""; // It has just ended.
  }
}
