import type { DaemonSetStatus, Pod } from "@stowage/machinery";
import { isPodAvailable, isPodReady } from "../../kit/index.ts";
import { isUpdated, nodeFit } from "./daemon-pod.ts";
import { byAge, type DaemonFacts } from "./node-pods.ts";

/** Counts nodes, by the oldest Pod of each. `isActedOn` is false when the present generation was only looked at. */
export function desiredDaemonStatus(facts: DaemonFacts, isActedOn: boolean): DaemonSetStatus {
  const { set, hash, nodes, podsByNode, nowMs } = facts;
  const seen = nodes.map((node) => ({
    shouldRun: nodeFit(set, node).shouldRun,
    pod: podsByNode.get(node.metadata.name ?? "")?.toSorted(byAge)[0],
  }));
  const wanted = seen.filter(({ shouldRun }) => shouldRun);
  const count = (isMeant: (pod: Pod) => boolean) =>
    wanted.filter(({ pod }) => pod !== undefined && isMeant(pod)).length;
  const available = count((pod) => isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, nowMs));
  const { collisionCount, conditions, observedGeneration } = set.status ?? {};
  return {
    currentNumberScheduled: count(() => true),
    numberMisscheduled: seen.filter(({ shouldRun, pod }) => !shouldRun && pod !== undefined).length,
    desiredNumberScheduled: wanted.length,
    numberReady: count(isPodReady),
    observedGeneration: isActedOn ? set.metadata.generation : observedGeneration,
    updatedNumberScheduled: count((pod) => isUpdated(pod, set, hash)),
    numberAvailable: available,
    numberUnavailable: wanted.length - available,
    ...(collisionCount === undefined ? {} : { collisionCount }),
    ...(conditions === undefined ? {} : { conditions }),
  };
}
