import type { Pod } from "@stowage/machinery";
import type { NodeState } from "../snapshot/node-state.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** Why a Pod cannot go to a node. */
export interface Refusal {
  /** As profiles of kube-scheduler name it: `NodeResourcesFit`. */
  readonly filter: string;
  readonly reasons: readonly string[];
  /** No Pod that went from the node would change it. */
  readonly isFinal: boolean;
}

/** A filter that has looked at the Pod. */
export interface PreparedFilter {
  /** No node at all is right. */
  readonly refusal?: Refusal;
  /** No others need be looked at. */
  readonly onlyNodes?: ReadonlySet<string>;
  check?(state: NodeState): Refusal | undefined;
}

export interface Filter {
  readonly name: string;
  /** Undefined: the Pod does not ask for anything that this filter is about. */
  prepare(pod: Pod, snapshot: Snapshot): PreparedFilter | undefined;
}

/** A filter that needs to know nothing but the Pod and the node. */
export function simpleFilter(
  name: string,
  check: (pod: Pod, state: NodeState) => readonly string[] | string | undefined,
  isFinal = true,
): Filter {
  return {
    name,
    prepare: (pod) => ({
      check(state) {
        const reasons = [check(pod, state) ?? []].flat();
        return reasons.length === 0 ? undefined : { filter: name, reasons, isFinal };
      },
    }),
  };
}
