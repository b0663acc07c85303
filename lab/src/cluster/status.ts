import { readFileSync, realpathSync } from "node:fs";
import type { Component, ComponentName, Plan } from "../components/component.ts";
import { desiredComponents } from "../components/components.ts";
import { logFile } from "../process/daemon.ts";
import { runningDaemon } from "../process/pid-file.ts";
import { layoutOf } from "./layout.ts";
import { tryProbe } from "./probe.ts";
import { type Level, readSettings, serverUrl } from "./settings.ts";

export type ComponentState = "up" | "not ready" | "down";

export interface ComponentStatus {
  readonly name: ComponentName;
  readonly state: ComponentState;
  readonly pid?: number;
  readonly ports: readonly number[];
  readonly version?: string;
  readonly rssBytes?: number;
  readonly log: string;
}

export interface LabStatus {
  readonly dir: string;
  readonly level: Level;
  readonly server: string;
  readonly kubeconfig: string;
  readonly components: readonly ComponentStatus[];
}

/** Undefined when there is no lab in the folder. */
export async function readLabStatus(folder: string): Promise<LabStatus | undefined> {
  const settings = readSettings(folder);
  if (settings === undefined) return undefined;
  const dir = realpathSync(folder);
  const plan = { dir, settings };
  const components = await Promise.all(desiredComponents(plan).map((component) => componentStatus(plan, component)));
  return { dir, level: settings.level, server: serverUrl(settings), kubeconfig: layoutOf(dir).kubeconfig, components };
}

export function isAllUp({ components }: LabStatus): boolean {
  return components.every(({ state }) => state === "up");
}

async function componentStatus({ dir, settings }: Plan, { name, ports, probe }: Component): Promise<ComponentStatus> {
  const known = { name, ports: ports.map((port) => settings.ports[port]), log: logFile(dir, name) };
  const running = runningDaemon(dir, name);
  if (running === undefined) return { ...known, state: "down" };
  const complaint = await tryProbe(dir, probe);
  const { pid, version } = running;
  return { ...known, state: complaint === undefined ? "up" : "not ready", pid, version, rssBytes: residentBytes(pid) };
}

function residentBytes(pid: number): number | undefined {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined; // It has just ended.
  }
}
