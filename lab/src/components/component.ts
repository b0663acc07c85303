import type { BinaryName } from "../build/go-modules.ts";
import type { PortName } from "../cluster/ports.ts";
import type { Settings } from "../cluster/settings.ts";

export const controlComponents = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const;
export const nodeComponents = ["containerd", "kubelet", "kube-proxy"] as const;

export type ComponentName = (typeof controlComponents)[number] | (typeof nodeComponents)[number];

/** How a component shows that it is ready: an answer of 200, or a connection to its socket. */
export type Probe = UrlProbe | { readonly socket: string };

export interface UrlProbe {
  readonly url: string;
  readonly authority?: "ca" | "etcd-ca";
  readonly client?: "admin" | "etcd-client";
  /** More that the answer must fulfil. */
  readonly expects?: (body: string) => boolean;
}

/** A component as it should run: all that is decided about it, and nothing done yet. */
export interface Component {
  readonly name: ComponentName;
  /** One that the lab builds, or a command of the machine. */
  readonly program:
    | { readonly binary: BinaryName }
    | { readonly command: string; readonly version: () => Promise<string> };
  readonly arguments: readonly string[];
  readonly host: string;
  readonly ports: readonly PortName[];
  readonly probe: Probe;
}

/** What the decisions about a component are made from. */
export interface Plan {
  readonly dir: string;
  readonly settings: Settings;
}

/** `{ "secure-port": 1 }` becomes `--secure-port=1`; a bare `true` becomes a flag alone. */
export function toFlags(flags: Readonly<Record<string, string | number | true>>): string[] {
  return Object.entries(flags).map(([name, value]) => (value === true ? `--${name}` : `--${name}=${value}`));
}
