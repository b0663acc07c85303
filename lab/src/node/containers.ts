import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { socketFolder } from "../cluster/layout.ts";
import { listFolder, readFileIfPresent } from "../files.ts";
import { endProcesses } from "../process/daemon.ts";
import { identifyProcess, type ProcessIdentity, readStat } from "../process/identity.ts";

/** containerd's namespace for what the kubelet runs. */
export const KUBERNETES_NAMESPACE = "k8s.io";

const TERMINATE_WAIT_MS = 2_000;

/** Ends the processes in the lab's containers, whether containerd still answers or not; the shims that hold them stay. */
export async function endContainers(dir: string): Promise<void> {
  await endProcesses(descendants(shimPids(dir)), TERMINATE_WAIT_MS);
}

/** Ends the shims, when containerd is gone and cannot take care of them any more. */
export async function endShims(dir: string): Promise<void> {
  await endProcesses(identities(shimPids(dir)), 0);
  for (const socket of shimSockets(dir)) rmSync(socket, { force: true });
}

/** They are in a folder that all containerds of a machine share; which are the lab's, its state folder says. */
function shimSockets(dir: string): string[] {
  const tasks = join(socketFolder(dir), "state/io.containerd.runtime.v2.task", KUBERNETES_NAMESPACE);
  const addresses = listFolder(tasks).map((id) => readFileIfPresent(join(tasks, id, "address")));
  return addresses.flatMap((address) => address?.replace(/^unix:\/\//, "").trim() ?? []);
}

/** containerd's shims outlive it; each has the socket of the containerd that it belongs to in its arguments. */
function shimPids(dir: string): number[] {
  const socket = join(socketFolder(dir), "containerd.sock");
  return allPids().filter((pid) => {
    const commandLine = commandLineOf(pid);
    return commandLine[0]?.includes("containerd-shim") === true && commandLine.includes(socket);
  });
}

function descendants(roots: readonly number[]): ProcessIdentity[] {
  const children = Map.groupBy(allPids(), (pid) => readStat(pid)?.parentPid ?? 0);
  const found = new Set<number>();
  const visit = (pid: number) => {
    for (const child of children.get(pid) ?? []) {
      if (found.has(child)) continue;
      found.add(child);
      visit(child);
    }
  };
  roots.forEach(visit);
  return identities([...found]);
}

function identities(pids: readonly number[]): ProcessIdentity[] {
  return pids.flatMap((pid) => identifyProcess(pid) ?? []);
}

function allPids(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function commandLineOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return []; // The process has ended.
  }
}
