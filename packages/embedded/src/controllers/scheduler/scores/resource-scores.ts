import { type Amounts, amountOf } from "../snapshot/amounts.ts";
import { requestsOf } from "../snapshot/pod-requests.ts";
import { HIGHEST, type Score } from "./score.ts";

const compared = ["cpu", "memory"];

/** The more is left of cpu and memory, the better. */
export const leastAllocated: Score = {
  name: "NodeResourcesFit",
  weight: 1,
  rate(pod, nodes) {
    const wanted = requestsOf(pod).assumed;
    return nodes.map(({ allocatable, assumed }) => {
      const parts = compared
        .filter((name) => amountOf(allocatable, name) > 0n)
        .map((name) => partLeft(amountOf(assumed, name) + amountOf(wanted, name), amountOf(allocatable, name)));
      return parts.length === 0 ? 0 : Math.trunc(parts.reduce((sum, part) => sum + part, 0) / parts.length);
    });
  },
};

function partLeft(used: bigint, whole: bigint): number {
  return used > whole ? 0 : Number(((whole - used) * BigInt(HIGHEST)) / whole);
}

/** The more alike cpu and memory are used up with the Pod than without it, the better. */
export const balancedAllocation: Score = {
  name: "NodeResourcesBalancedAllocation",
  weight: 1,
  rate(pod, nodes) {
    const wanted = requestsOf(pod).requested;
    if (compared.every((name) => amountOf(wanted, name) === 0n)) return undefined;
    return nodes.map(({ allocatable, requested }) => {
      const after = new Map(compared.map((name) => [name, amountOf(requested, name) + amountOf(wanted, name)]));
      const gain = balance(after, allocatable) - balance(requested, allocatable);
      return HIGHEST / 2 + Math.trunc((HIGHEST / 2 + gain) / 2);
    });
  },
};

/** `HIGHEST` when both are used up alike, half of it when one is used up and the other not at all. */
function balance(used: Amounts, allocatable: Amounts): number {
  const parts = compared
    .filter((name) => amountOf(allocatable, name) > 0n)
    .map((name) => Math.min(1, Number(amountOf(used, name)) / Number(amountOf(allocatable, name))));
  const [first = 0, second = 0] = parts;
  const deviation = parts.length === 2 ? Math.abs((first - second) / 2) : 0;
  return Math.trunc((1 - deviation) * HIGHEST);
}
