import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { basename, join } from "node:path";

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

interface LoopDevice {
  readonly name: string;
  readonly inode: number;
  readonly file: string;
}

const before = new Set(allLoopDevices().map(({ name, inode }) => `${name} ${inode}`));

/**
 * Of the file a driver in a Pod says only the end of the path, which begins the same in every cluster: it is told by its name and number, as
 * long as it is there, and after that by being gone.
 */
function loopDevices(folder: string): string[] {
  const files = new Set(existsSync(folder) ? filesBelow(folder) : []);
  const isGone = ({ name, inode, file }: LoopDevice) =>
    !existsSync(folder) && file.includes("(deleted)") && !before.has(`${name} ${inode}`);
  return allLoopDevices()
    .filter((device) => device.file.includes(folder) || files.has(fileText(device)) || isGone(device))
    .map(({ name, file }) => `${name} ${file}`);
}

const fileText = ({ inode, file }: Pick<LoopDevice, "inode" | "file">) => `${inode} ${basename(file)}`;

/** All that are on the disks of a cluster's nodes. */
function filesBelow(folder: string): string[] {
  const nodes = join(folder, "cluster", "nodes");
  const disks = existsSync(nodes) ? readdirSync(nodes).map((node) => join(nodes, node, "disk")) : [];
  return disks.filter(existsSync).flatMap((disk) =>
    readdirSync(disk, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .flatMap(({ parentPath, name: file }) => {
        const found = statSync(join(parentPath, file), { throwIfNoEntry: false });
        return found === undefined ? [] : [fileText({ inode: found.ino, file })];
      }),
  );
}

function allLoopDevices(): LoopDevice[] {
  const columns = ["--list", "--noheadings", "--output", "NAME,BACK-INO,BACK-FILE"];
  const text = execFileSync("losetup", columns, { encoding: "utf8" });
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [name = "", inode = "", ...file] = line.trim().split(/\s+/u);
      return { name, inode: Number(inode), file: file.join(" ") };
    });
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
