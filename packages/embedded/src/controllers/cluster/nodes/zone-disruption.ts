import type { Node } from "@stowage/machinery";
import type { ReadyStatus } from "./node-taints.ts";

export type ZoneState = "Initial" | "Normal" | "FullDisruption" | "PartialDisruption";

/** `--node-eviction-rate`, `--secondary-node-eviction-rate`, `--large-cluster-size-threshold`, `--unhealthy-zone-threshold`. */
const RATE_PER_SECOND = 0.1;
const SECONDARY_RATE_PER_SECOND = 0.01;
const LARGE_ZONE = 50;
const UNHEALTHY_SHARE = 0.55;

export function zoneOf({ metadata }: Node): string {
  const labels = metadata.labels ?? {};
  const label = (name: string, older: string) => labels[name] ?? labels[older] ?? "";
  const region = label("topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region");
  return JSON.stringify([region, label("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")]);
}

/** Many nodes that fail at once have not failed: something between them and us has. */
export function zoneState(statuses: readonly (ReadyStatus | undefined)[]): ZoneState {
  const ready = statuses.filter((status) => status === "True").length;
  const unhealthy = statuses.length - ready;
  if (ready === 0 && unhealthy > 0) return "FullDisruption";
  return unhealthy > 2 && unhealthy / statuses.length >= UNHEALTHY_SHARE ? "PartialDisruption" : "Normal";
}

/** How many nodes per second are given up, in a zone of that state and size. */
export function evictionRate(state: ZoneState, size: number): number {
  if (state !== "PartialDisruption") return RATE_PER_SECOND;
  return size > LARGE_ZONE ? SECONDARY_RATE_PER_SECOND : 0;
}
