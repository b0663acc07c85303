import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StowageError } from "@stowage/machinery";
import type { ControlPlaneId } from "./control-plane/control-plane-ids.ts";

/** The one folder that everything is in. */
export function stateDirOf(homeDir: string, given: string | undefined): string {
  return given ?? join(homeDir, ".stowage", "cluster");
}

/** For the administrator of the cluster that was begun there; undefined when none was. */
export function kubeconfigIn(stateDir: string): string | undefined {
  const folders = [join(statePaths.cluster(stateDir), "apiserver"), statePaths.kubernetes(stateDir)];
  return folders.map((folder) => join(folder, "kubeconfig")).find((path) => existsSync(path));
}

export const statePaths = {
  /** API server and nodes. */
  cluster: (stateDir: string) => join(stateDir, "cluster"),
  payload: (stateDir: string) => join(stateDir, "payload"),
  launcher: (stateDir: string) => join(stateDir, "bin"),
  port: (stateDir: string) => join(stateDir, "port"),
  /** What a simulated cloud has, and where it was asked last. */
  cloud: (stateDir: string) => join(stateDir, "cloud"),
  cloudPort: (stateDir: string) => join(stateDir, "cloud-port"),
  /** What the cluster says that it runs on: it cannot be moved. */
  platform: (stateDir: string) => join(stateDir, "platform"),
  /** Whose API server and controllers it has, which cannot be changed either. */
  controlPlane: (stateDir: string) => join(stateDir, "control-plane"),
  /** What the real control plane keeps. */
  kubernetes: (stateDir: string) => join(stateDir, "cluster", "kubernetes"),
} as const;

/** Where a server was last: what runs in Pods after a crash still looks for it there. */
export function rememberedPort(path: string): number | undefined {
  const port = existsSync(path) ? Number(readFileSync(path, "utf8")) : Number.NaN;
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

export function rememberPort(path: string, url: string): void {
  writeFileSync(path, new URL(url).port, { mode: 0o600 });
}

/** Throws when the cluster was begun on another. */
export function rememberPlatform(stateDir: string, id: string): void {
  const before = remembered(stateDir, { path: statePaths.platform(stateDir), id, atFirst: "local" });
  if (before !== id)
    throw new StowageError("UP_OTHER_PLATFORM", `the cluster in ${stateDir} is on ${before}, and cannot be on ${id}`);
}

/** Throws when the cluster was begun with another. */
export function rememberControlPlane(stateDir: string, id: ControlPlaneId): void {
  const before = remembered(stateDir, { path: statePaths.controlPlane(stateDir), id, atFirst: "embedded" });
  if (before === id) return;
  const message = `the control plane of the cluster in ${stateDir} is ${before}, and cannot be ${id}`;
  throw new StowageError("UP_OTHER_CONTROL_PLANE", message);
}

interface Choice {
  readonly path: string;
  readonly id: string;
  /** Of clusters from before there was a choice. */
  readonly atFirst: string;
}

/** What was chosen when the cluster was begun, which is now if there is none: a start that came to nothing binds nobody. */
function remembered(stateDir: string, { path, id, atFirst }: Choice): string {
  // Empty when it was killed as it wrote it.
  const known = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (known === id) return id;
  if (isBegun(stateDir)) return known === "" ? atFirst : known;
  writeFileSync(path, id, { mode: 0o600 });
  return id;
}

/** Whether anything is kept of a cluster. */
function isBegun(stateDir: string): boolean {
  const folder = statePaths.cluster(stateDir);
  return existsSync(folder) && readdirSync(folder).some((name) => readdirSync(join(folder, name)).length > 0);
}

/** A folder for each stand-in, which containers write to as nobody. */
export function readyCloud(stateDir: string, names: readonly string[]): string {
  const folder = statePaths.cloud(stateDir);
  for (const name of names) {
    mkdirSync(join(folder, name), { recursive: true });
    chmodSync(join(folder, name), 0o777);
  }
  return folder;
}

/** Everybody may run it: containers do so as nobody. Returns the folder that it is in. */
export function writeLauncher(stateDir: string, script: string): string {
  const folder = statePaths.launcher(stateDir);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  const path = join(folder, "stowage");
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return folder;
}
