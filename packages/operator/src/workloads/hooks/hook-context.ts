import type { DaemonSet, Deployment } from "@stowage/machinery";
import type { ManifestHook, ObjectHook } from "../../assets/index.ts";
import type { ClusterFacts, ConfigPath } from "../../configuration/index.ts";
import type { OperatorResource } from "../../operator-client/index.ts";

export type Workload = Deployment | DaemonSet;

/** What every hook of a workload gets. */
export interface HookContext<T extends OperatorResource = OperatorResource> {
  /** As it was when the sync began. */
  readonly operator: T;
  readonly signal: AbortSignal;
}

export type WorkloadManifestHook<T extends OperatorResource = OperatorResource> = ManifestHook<HookContext<T>>;
export type WorkloadHook<W extends Workload, T extends OperatorResource = OperatorResource> = ObjectHook<
  W,
  HookContext<T>
>;

/** The part of a `ClusterFactsSource` that hooks need. Rejects while the facts cannot be told: guesses would be rolled out. */
export interface WorkloadFacts {
  current(signal: AbortSignal): Promise<Pick<ClusterFacts, "clusterId" | "controlPlaneTopology" | "controlPlaneRoles">>;
}

/** What stands at a path of `spec.observedConfig`; undefined when nothing does, also when nothing was observed yet. */
export function observedAt({ spec }: OperatorResource, path: ConfigPath): unknown {
  let value: unknown = spec?.observedConfig ?? undefined;
  for (const name of path) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
