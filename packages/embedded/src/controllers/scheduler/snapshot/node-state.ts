import type { Node, Pod } from "@stowage/machinery";
import { type Amounts, amountsFrom, sumOf } from "./amounts.ts";
import { requestsOf } from "./pod-requests.ts";

/** A node with the Pods that are on it or about to be. */
export interface NodeState {
  readonly name: string;
  readonly node: Node;
  readonly labels: Readonly<Record<string, string>>;
  readonly pods: readonly Pod[];
  readonly allocatable: Amounts;
  readonly requested: Amounts;
  readonly assumed: Amounts;
}

const allocatables = new WeakMap<Node, Amounts>();

function allocatableOf(node: Node): Amounts {
  const known = allocatables.get(node) ?? amountsFrom(node.status?.allocatable);
  allocatables.set(node, known);
  return known;
}

export function nodeState(node: Node, pods: readonly Pod[]): NodeState {
  const requests = pods.map(requestsOf);
  return {
    name: node.metadata.name ?? "",
    node,
    labels: node.metadata.labels ?? {},
    pods,
    allocatable: allocatableOf(node),
    requested: sumOf(requests.map(({ requested }) => requested)),
    assumed: sumOf(requests.map(({ assumed }) => assumed)),
  };
}

export function withPods(state: NodeState, more: readonly Pod[]): NodeState {
  return more.length === 0 ? state : nodeState(state.node, [...state.pods, ...more]);
}

export function withoutPods(state: NodeState, gone: ReadonlySet<Pod>): NodeState {
  return nodeState(
    state.node,
    state.pods.filter((pod) => !gone.has(pod)),
  );
}
