import { type Container, findCondition, type Pod } from "@stowage/machinery";
import { type Amounts, amountsFrom, mostOf, noAmounts, sumOf } from "./amounts.ts";

export interface PodRequests {
  /** What the node must have left. */
  readonly requested: Amounts;
  /** The same, with something for containers that do not say what they need: what nodes are compared by. */
  readonly assumed: Amounts;
}

/** What a container that does not say is taken to need. */
const unsaid: Amounts = new Map([
  ["cpu", 100n],
  ["memory", 200n * 1024n * 1024n],
]);

const known = new WeakMap<Pod, PodRequests>();

export function requestsOf(pod: Pod): PodRequests {
  const found = known.get(pod);
  if (found !== undefined) return found;
  const said = totalOf(pod, (container) => needOf(pod, container));
  const assumed = totalOf(pod, (container) => new Map([...unsaid, ...needOf(pod, container)]));
  const requests = { requested: said, assumed };
  known.set(pod, requests);
  return requests;
}

/**
 * What it asks for, or what it has been given when that is more: it has not been made smaller yet. What it asks for in vain does not
 * count.
 */
function needOf({ status }: Pod, { name, resources }: Container): Amounts {
  const { containerStatuses = [], initContainerStatuses = [], conditions } = status ?? {};
  const given = [...containerStatuses, ...initContainerStatuses].find((each) => each.name === name);
  const has = [amountsFrom(given?.allocatedResources), amountsFrom(given?.resources?.requests)];
  const isInVain = findCondition(conditions, "PodResizePending")?.reason === "Infeasible";
  return mostOf(isInVain ? has : [amountsFrom(resources?.requests), ...has]);
}

/**
 * Containers run at once, and with them the init containers that go on running; other init containers run one by one before, beside
 * those that were started before them. The most of both is what the Pod needs. What is said for the whole Pod counts before that.
 */
function totalOf({ spec }: Pod, need: (container: Container) => Amounts): Amounts {
  const { containers = [], initContainers = [], overhead, resources } = spec ?? {};
  const phases: Amounts[] = [];
  let staying = noAmounts;
  for (const container of initContainers) {
    const together = sumOf([staying, need(container)]);
    phases.push(together);
    if (container.restartPolicy === "Always") staying = together;
  }
  phases.push(sumOf([staying, ...containers.map(need)]));
  const ofPod = new Map([...mostOf(phases), ...amountsFrom(resources?.requests)]);
  return sumOf([ofPod, amountsFrom(overhead)]);
}
