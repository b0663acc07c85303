import type { Pod } from "@stowage/machinery";
import type { NodeState } from "../snapshot/node-state.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** The best that a node can be in the eyes of one score. */
export const HIGHEST = 100;

export interface Score {
  readonly name: string;
  /** How much it counts beside the others. */
  readonly weight: number;
  /** From nothing to `HIGHEST`, one for each of the nodes. Undefined: it has no opinion on the Pod. */
  rate(pod: Pod, nodes: readonly NodeState[], snapshot: Snapshot): readonly number[] | undefined;
}

/** The highest becomes `HIGHEST`; reversed, the highest becomes nothing. */
export function normalized(values: readonly number[], isReversed: boolean): number[] {
  const most = Math.max(0, ...values);
  if (most === 0) return values.map((value) => (isReversed ? HIGHEST : value));
  const scaled = values.map((value) => Math.trunc((HIGHEST * value) / most));
  return isReversed ? scaled.map((value) => HIGHEST - value) : scaled;
}
