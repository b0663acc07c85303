import { readFileIfPresent, writeFileAtomically } from "../files.ts";
import { layoutOf } from "./layout.ts";
import { choosePorts, type Ports } from "./ports.ts";

/** `api`: etcd and API server. `control`: also controllers and scheduler. `node`: also containerd, kubelet and kube-proxy. */
export const levels = ["api", "control", "node"] as const;
export type Level = (typeof levels)[number];

export type ExtraFlags = Readonly<Record<string, readonly string[]>>;

/** What a lab was started with, remembered in its folder so that the next start is the same. */
export interface Settings {
  readonly level: Level;
  readonly ports: Ports;
  /** Flags added to those of a component, by the component's name. */
  readonly extraFlags: ExtraFlags;
  /** The kubelet's folder, when the lab was at the node level; it may lie outside the lab's own. */
  readonly kubeletFolder?: string;
  /** What the lab has changed on the machine at the node level, until it is put back. */
  readonly machine?: MachineChanges;
}

interface MachineChanges {
  /** An address on lo that the lab added. */
  readonly address: string;
  /** Kernel settings as they were before, by their path below /proc/sys. */
  readonly sysctls: Readonly<Record<string, string>>;
}

/** Pods in their own network namespaces cannot reach 127.0.0.1, so at the node level the lab has an address of its own. */
export function serverAddress({ level, machine }: Settings): string {
  return level === "node" && machine !== undefined ? machine.address : LOOPBACK;
}

export const LOOPBACK = "127.0.0.1";

export function serverUrl(settings: Settings): string {
  return `https://${serverAddress(settings)}:${settings.ports.apiServer}`;
}

export function readSettings(dir: string): Settings | undefined {
  const text = readFileIfPresent(layoutOf(dir).settings);
  return text === undefined ? undefined : (JSON.parse(text) as Settings);
}

export function writeSettings(dir: string, settings: Settings): void {
  writeFileAtomically(layoutOf(dir).settings, `${JSON.stringify(settings, undefined, 2)}\n`);
}

export async function createSettings(level: Level): Promise<Settings> {
  return { level, ports: await choosePorts(), extraFlags: {} };
}
