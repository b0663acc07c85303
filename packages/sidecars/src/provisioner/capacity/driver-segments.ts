import { createController } from "@stowage/operator";
import { csiNodeCache, nodeCache } from "../../caches/index.ts";
import type { CallLimits, SidecarDeps } from "../../sidecar.ts";
import {
  type ClusterTopology,
  driverNodeOf,
  type Segments,
  type TopologyTerm,
  termFromLabels,
  termKey,
  termOf,
  watchedTopology,
} from "../topology/index.ts";

/** The places that the driver has capacity in, each once. */
export interface DriverSegments {
  list(): readonly TopologyTerm[];
  has(place: TopologyTerm): boolean;
  /** Keeps the list up to date until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

/** Pure: of every node where the driver is registered and whose labels are there already. */
export function segmentsOfNodes(cluster: Pick<ClusterTopology, "driverNodes" | "labelsOf">): TopologyTerm[] {
  const terms = new Map<string, TopologyTerm>();
  for (const { name, keys } of cluster.driverNodes()) {
    const labels = cluster.labelsOf(name);
    const term = labels && termFromLabels(labels, keys);
    if (term !== undefined) terms.set(termKey(term), term);
  }
  return [...terms.values()];
}

/** The one place of a driver beside which this runs on each node. Nodes are not watched. */
export function fixedSegments(segments: Segments | undefined): DriverSegments {
  const own = termOf(segments ?? {});
  return { list: () => [own], has: (place) => termKey(place) === termKey(own), run: async () => {} };
}

type WatchDeps = Pick<SidecarDeps, "informers" | "driver" | "clock" | "logger" | "queues">;

/**
 * Watches CSINodes and Nodes (metadata alone); writes nothing. `onChange` gets the places that came or went. The work is one pass
 * over all nodes, whatever changed: while many change at once, as when a cluster starts, they share passes.
 */
export function watchSegments(
  deps: WatchDeps,
  { retryInitialMs, retryMaximumMs }: Pick<CallLimits, "retryInitialMs" | "retryMaximumMs">,
  onChange: (places: readonly TopologyTerm[]) => void,
): DriverSegments {
  const { clock, logger, queues, driver, informers } = deps;
  const cluster = watchedTopology(deps);
  let known = new Map<string, TopologyTerm>();
  const sync = () => {
    const current = new Map(segmentsOfNodes(cluster).map((term) => [termKey(term), term]));
    const changed = [...known, ...current].filter(([key]) => known.has(key) !== current.has(key));
    known = current;
    if (changed.length > 0) onChange(changed.map(([, term]) => term));
  };
  const controller = createController(
    { clock, logger, metrics: queues },
    {
      name: "csitopology",
      workers: 1,
      backoff: { initialMs: retryInitialMs, maximumMs: retryMaximumMs },
      sync: async () => sync(),
    },
  );
  const wake = () => controller.queue.add("");
  // Kubelets touch their Nodes all the time; only labels and keys matter.
  nodeCache(informers).addHandler({
    onAdd: wake,
    onUpdate: (node, previous) => isAlike(node.metadata.labels, previous.metadata.labels) || wake(),
    onDelete: wake,
  });
  csiNodeCache(informers).addHandler({
    onAdd: wake,
    onUpdate: (node, previous) =>
      isAlike(driverNodeOf(node, driver.name), driverNodeOf(previous, driver.name)) || wake(),
    onDelete: wake,
  });
  return {
    list: () => [...known.values()],
    has: (place) => known.has(termKey(place)),
    run(signal) {
      sync();
      return controller.run(signal);
    },
  };
}

/** A different order of keys is taken for a difference, which costs a pass and nothing else. */
function isAlike(a: object | undefined, b: object | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
