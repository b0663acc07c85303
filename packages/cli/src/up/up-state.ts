import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StowageError } from "@stowage/machinery";

/** The one folder that everything is in. */
export function stateDirOf(homeDir: string, given: string | undefined): string {
  return given ?? join(homeDir, ".stowage", "cluster");
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
  const path = statePaths.platform(stateDir);
  const known = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  if (known === id) return;
  const before = known ?? (existsSync(statePaths.cluster(stateDir)) ? "local" : id);
  if (before !== id)
    throw new StowageError("UP_OTHER_PLATFORM", `the cluster in ${stateDir} is on ${before}, and cannot be on ${id}`);
  writeFileSync(path, id, { mode: 0o600 });
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
