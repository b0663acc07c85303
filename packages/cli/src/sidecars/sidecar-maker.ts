import type { KubeClient } from "@stowage/kube";
import type { Sidecar, SidecarDeps } from "@stowage/sidecars";
import type { OptionTable, OptionValues } from "../options/option-table.ts";
import type { SidecarFlags } from "./sidecar-flags.ts";

/** What a sidecar needs to know of the place that it runs in. */
export interface SidecarPlace {
  /** Its own, where leases and other objects of its own are kept. */
  readonly namespace: string;
  readonly podName?: string;
  readonly nodeName?: string;
  /** Started by its own name: what it needs must be there, or it ends. One of several waits without holding up the others. */
  readonly isAlone: boolean;
  readonly retryInitialMs: number;
  readonly retryMaximumMs: number;
  /** A client with a rate of its own, for what must not hold up the rest. */
  limitedClient(limit: { readonly qps: number; readonly burst: number }): KubeClient;
}

interface Making<Table extends OptionTable> {
  lease(driverName: string): string;
  create(deps: SidecarDeps, options: OptionValues<Table>, place: SidecarPlace): Sidecar | Promise<Sidecar>;
}

/** What makes a sidecar of its flags. */
export interface SidecarMaker<Table extends OptionTable = OptionTable> extends Making<Table> {
  readonly flags: SidecarFlags<Table>;
}

/** Checks it against the flags; the result fits in a list of makers of all kinds. */
export function defineSidecarMaker<Table extends OptionTable>(
  flags: SidecarFlags<Table>,
  making: Making<Table>,
): SidecarMaker {
  return { flags, ...making };
}
