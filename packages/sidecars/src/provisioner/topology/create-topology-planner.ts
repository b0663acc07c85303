import type { SidecarDeps } from "../../sidecar.ts";
import { type ClusterTopology, supportsTopology, watchedTopology } from "./cluster-topology.ts";
import { desiredRequirement, type TopologyOptions } from "./desired-requirement.ts";
import type { TopologyPlanner, TopologyRequirementInit } from "./topology-planner.ts";

export interface TopologyPlannerDeps extends Pick<SidecarDeps, "informers" | "driver"> {
  /** In place of the Nodes and CSINodes of the API, which are then not watched. */
  readonly cluster?: ClusterTopology;
}

/** Watches Nodes (metadata alone) and CSINodes, if the driver has topology and nothing else is given to read them from. */
export function createTopologyPlanner(deps: TopologyPlannerDeps, options: TopologyOptions): TopologyPlanner {
  if (!supportsTopology(deps.driver)) return { requirementFor: () => undefined, forget: () => {} };
  const cluster = deps.cluster ?? watchedTopology(deps);
  // By the claim's uid. Whole requirements: what could not be worked out was not sent, so the next try may look anew.
  const sent = new Map<string, TopologyRequirementInit>();
  return {
    requirementFor(wish) {
      const uid = wish.claim.metadata.uid ?? "";
      const requirement = sent.get(uid) ?? desiredRequirement(wish, cluster, options);
      if (requirement !== undefined) sent.set(uid, requirement);
      return requirement;
    },
    forget: (claimUid) => void sent.delete(claimUid),
  };
}
