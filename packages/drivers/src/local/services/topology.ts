import type { TopologyRequirement } from "@stowage/csi";
import type { LocalDeps } from "../local-deps.ts";
import { refusal } from "../requests/refusal.ts";
import { topologyKey } from "./messages.ts";

/** Volumes and snapshots are on this node: whoever wants them on others only has come to the wrong driver. */
export function checkTopology({ options }: LocalDeps, requirement: TopologyRequirement | undefined): void {
  const terms = requirement?.requisite ?? [];
  const key = topologyKey(options.driverName);
  if (terms.length === 0 || terms.some(({ segments }) => (segments[key] ?? options.nodeId) === options.nodeId)) return;
  const nodes = terms.map(({ segments }) => segments[key]).join(", ");
  const complaint = `It is wanted on ${nodes}, and this driver makes volumes and snapshots on ${options.nodeId} only.`;
  throw refusal("RESOURCE_EXHAUSTED", complaint, "Ask the driver of that node.");
}

/** Whether the caller has asked for this node and for no other. */
export function isOwnNodeAlone({ options }: LocalDeps, requirement: TopologyRequirement | undefined): boolean {
  const terms = requirement?.requisite ?? [];
  return (
    terms.length > 0 && terms.every(({ segments }) => segments[topologyKey(options.driverName)] === options.nodeId)
  );
}
