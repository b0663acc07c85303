import type { CSIDriver } from "@stowage/machinery";
import { type ClusterFacts, isManagedDriver } from "@stowage/operator";
import type { DriverOperatorEntry } from "./driver-operator-entry.ts";
import { runsHosted } from "./hosted-assets.ts";

export interface StartInput {
  readonly facts: ClusterFacts;
  /** The CSIDriver of the entry's name, whoever has made it. */
  readonly csiDriver: CSIDriver | undefined;
  /** Whether there is a ClusterCSIDriver. */
  readonly isInstalled: boolean;
  /** Whether the control plane is hosted in another cluster; no, when left out. */
  readonly isHosted?: boolean;
}

/**
 * `foreign`: it is for this cluster, and somebody else's driver of the same name is in the way. `not-hosted`: it is for this cluster, and
 * cannot be run from beside its control plane.
 */
export type StartDecision = "start" | "skip" | "foreign" | "not-hosted";

export function startDecision(
  entry: DriverOperatorEntry,
  { facts, csiDriver, isInstalled, isHosted = false }: StartInput,
): StartDecision {
  const { platform, statusFilter, isOptional = false } = entry;
  if (platform !== "AllPlatforms" && platform !== facts.platform) return "skip";
  if (isOptional && !isInstalled) return "skip";
  if (statusFilter !== undefined && !statusFilter(facts, isInstalled)) return "skip";
  if (isHosted && !runsHosted(entry)) return "not-hosted";
  return csiDriver !== undefined && !isManagedDriver(csiDriver) ? "foreign" : "start";
}
