import { createHash } from "node:crypto";
import { join } from "node:path";

/** What a lab keeps in its folder; `down --wipe` removes these and nothing else. */
const ENTRIES = {
  settings: "lab.json",
  lock: "lock",
  kubeconfig: "kubeconfig",
  configuration: "conf",
  certificates: "pki",
  logs: "log",
  pids: "pid",
  etcd: "etcd",
  containerd: "containerd",
  networks: "cni",
  kubelet: "kubelet",
  podLogs: "pod-logs",
} as const;

export const layoutEntries: readonly string[] = Object.values(ENTRIES);

export type Layout = Readonly<Record<keyof typeof ENTRIES, string>>;

export function layoutOf(dir: string): Layout {
  const entries = Object.entries(ENTRIES).map(([key, name]) => [key, join(dir, name)]);
  return Object.fromEntries(entries) as Layout;
}

/** A short name for a lab among those on the machine, the same each time: for what lives outside its folder. */
export function labHash(dir: string): string {
  return createHash("sha256").update(dir).digest("hex").slice(0, 8);
}

/** The folder of a lab's sockets: a socket's path is at most 107 bytes, and a checkout may lie deep. */
export function socketFolder(dir: string): string {
  return `/run/stowage-lab-${labHash(dir)}`;
}

export function certificateFile(dir: string, name: string): string {
  return join(dir, ENTRIES.certificates, `${name}.crt`);
}

export function keyFile(dir: string, name: string): string {
  return join(dir, ENTRIES.certificates, `${name}.key`);
}

export function kubeconfigFile(dir: string, user: string): string {
  return user === "admin" ? layoutOf(dir).kubeconfig : join(dir, ENTRIES.configuration, `${user}.kubeconfig`);
}
