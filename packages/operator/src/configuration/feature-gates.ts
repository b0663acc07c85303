import { type FeatureGate, featureGates } from "@stowage/machinery";
import type { OperatorWatch } from "../operator-controllers/index.ts";
import { type OptionalInformerDeps, optionalInformer } from "./optional-informer.ts";

/** Watches the cluster's feature gates: who watches it syncs when they change, which is why no process has to be started anew. */
export interface FeatureGateSource extends OperatorWatch {
  /** Names of those that are on; none where the cluster has no such gates. */
  enabled(signal: AbortSignal): Promise<ReadonlySet<string>>;
}

export function featureGateSource(
  deps: OptionalInformerDeps,
  /** Of the operator: while an upgrade runs, other versions have gates of their own. */
  version: string | undefined,
): FeatureGateSource {
  const informer = optionalInformer(deps, {
    type: featureGates,
    selection: { fieldSelector: "metadata.name=cluster" },
  });
  return {
    feed: (controller) => informer.feed(controller),
    waitForSync: (signal) => informer.waitForSync(signal),
    enabled: async (signal) => enabledGates((await informer.objects(signal))?.get({ name: "cluster" }), version),
  };
}

/** A version that the status does not have yet has every gate off; it is looked at again when that changes. */
export function enabledGates(featureGate: FeatureGate | undefined, version: string | undefined): ReadonlySet<string> {
  const own = featureGate?.status?.featureGates?.find((each) => each.version === version);
  return new Set(own?.enabled?.map(({ name }) => name));
}
