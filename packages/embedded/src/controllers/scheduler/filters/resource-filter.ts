import { amountOf } from "../snapshot/amounts.ts";
import type { NodeState } from "../snapshot/node-state.ts";
import { requestsOf } from "../snapshot/pod-requests.ts";
import type { Filter, Refusal } from "./filter.ts";

const name = "NodeResourcesFit";
/** These first, in this order; then the others that the Pod asks for. */
const first = ["cpu", "memory", "ephemeral-storage"];

/** Whether the node has left what the Pod asks for. */
export const nodeResourcesFit: Filter = {
  name,
  prepare(pod) {
    const { requested } = requestsOf(pod);
    const names = [...first, ...[...requested.keys()].filter((each) => !first.includes(each))];
    const wanted = names.map((each) => [each, amountOf(requested, each)] as const).filter(([, amount]) => amount > 0n);
    return { check: (state) => shortage(state, wanted) };
  },
};

function shortage(state: NodeState, wanted: readonly (readonly [string, bigint])[]): Refusal | undefined {
  const { allocatable, requested, pods } = state;
  const isFull = BigInt(pods.length) + 1n > amountOf(allocatable, "pods");
  const lacking = wanted.filter(([each, amount]) => amount > amountOf(allocatable, each) - amountOf(requested, each));
  if (!isFull && lacking.length === 0) return undefined;
  return {
    filter: name,
    reasons: [...(isFull ? ["Too many pods"] : []), ...lacking.map(([each]) => `Insufficient ${each}`)],
    isFinal: lacking.some(([each, amount]) => amount > amountOf(allocatable, each)),
  };
}
