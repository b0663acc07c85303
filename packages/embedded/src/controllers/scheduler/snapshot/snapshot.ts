import type { Labels, Pod } from "@stowage/machinery";
import type { StorageView } from "../volumes/storage-view.ts";
import type { IsKin } from "./kin.ts";
import type { NodeState } from "./node-state.ts";

/** All that a choice hangs on, as of one moment. */
export interface Snapshot {
  readonly nodes: readonly NodeState[];
  readonly storage: StorageView;
  labelsOfNamespace(name: string): Labels;
  kinOf(pod: Pod): IsKin | undefined;
}

/** As it would be if the node were so. */
export function withNode(snapshot: Snapshot, state: NodeState): Snapshot {
  return { ...snapshot, nodes: snapshot.nodes.map((each) => (each.name === state.name ? state : each)) };
}

/** Of nodes alone, in a cluster without storage. */
export function bareSnapshot(nodes: readonly NodeState[]): Snapshot {
  return {
    nodes,
    labelsOfNamespace: () => ({}),
    kinOf: () => undefined,
    storage: {
      claim: () => undefined,
      volume: () => undefined,
      volumes: () => [],
      storageClass: () => undefined,
      driver: () => undefined,
      csiNode: () => undefined,
      capacities: () => [],
      attachmentsOn: () => [],
    },
  };
}
