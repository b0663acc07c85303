import type { CSIDriver } from "@stowage/machinery";
import { type ClusterFacts, isManagedDriver } from "@stowage/operator";
import type { DriverOperatorEntry } from "./driver-operator-entry.ts";

export interface StartInput {
  readonly facts: ClusterFacts;
  /** The CSIDriver of the entry's name, whoever has made it. */
  readonly csiDriver: CSIDriver | undefined;
  /** Whether there is a ClusterCSIDriver. */
  readonly isInstalled: boolean;
}

/** `foreign`: it is for this cluster, and somebody else's driver of the same name is in the way. */
export type StartDecision = "start" | "skip" | "foreign";

export function startDecision(
  entry: DriverOperatorEntry,
  { facts, csiDriver, isInstalled }: StartInput,
): StartDecision {
  const { platform, statusFilter } = entry;
  if (platform !== "AllPlatforms" && platform !== facts.platform) return "skip";
  if (statusFilter !== undefined && !statusFilter(facts, isInstalled)) return "skip";
  return csiDriver !== undefined && !isManagedDriver(csiDriver) ? "foreign" : "start";
}
