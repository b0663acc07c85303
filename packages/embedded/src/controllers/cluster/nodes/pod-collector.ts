import { isNotFound } from "@stowage/kube";
import { nodes, type Pod, type PodCondition, pods } from "@stowage/machinery";
import { type ControllerDeps, type ControllerPart, isPodFinished } from "../../kit/index.ts";
import { nodesMissing, strandedPods, surplusPods, unscheduledPods } from "./doomed-pods.ts";
import { disruption, patchPodStatus } from "./pod-disruption.ts";

const PERIOD_MS = 20_000;
/** So long a node has to be missing before its Pods are given up. */
const QUARANTINE_MS = 40_000;

/**
 * Deletes Pods that nobody else would.
 *
 * Watches Pods and Nodes, and looks every 20 seconds. Deletes, without grace, Pods that have ended and are too many, that are on nodes
 * out of service or gone, and that are being deleted and were never on one. Writes their phase (`Failed`) first and, of those whose node
 * is gone, the condition `DisruptionTarget`.
 */
export function createPodCollector(deps: ControllerDeps): ControllerPart {
  const { clock, informers } = deps;
  const [podCopies, nodeCopies] = [informers.informer(pods), informers.informer(nodes)];
  const nodeOf = (name: string) => nodeCopies.objects.getByKey(name);
  const missingSince = new Map<string, number>();

  const look = async () => {
    const all = podCopies.objects.list();
    const doomed = new Set([...surplusPods(all), ...strandedPods(all, nodeOf), ...unscheduledPods(all)]);
    await Promise.all([...doomed].map((pod) => remove(deps, pod)));
    const gone = await nodesGone(deps, missingSince, nodesMissing(all, nodeOf));
    const orphans = all.filter((pod) => gone.has(pod.spec?.nodeName ?? "") && !doomed.has(pod));
    const nowMs = clock.nowMs();
    const why = (pod: Pod) => disruption(pod, "DeletionByPodGC", "PodGC: node no longer exists", nowMs);
    await Promise.all(orphans.map((pod) => remove(deps, pod, why(pod))));
  };
  return {
    name: "pod-garbage-collector-controller",
    async run(signal) {
      while (!signal.aborted) {
        await look().catch((error: unknown) => deps.logger.warn({ error }, "Pods were not looked at"));
        await clock.sleep(PERIOD_MS, signal).catch(() => {});
      }
    },
  };
}

/** Those that were missing for long enough, and are so on the server as well. */
async function nodesGone(
  { client, clock, logger }: ControllerDeps,
  missingSince: Map<string, number>,
  missing: ReadonlySet<string>,
): Promise<Set<string>> {
  const nowMs = clock.monotonicMs();
  for (const name of missing) if (!missingSince.has(name)) missingSince.set(name, nowMs);
  const gone = new Set<string>();
  for (const [name, sinceMs] of missingSince) {
    if (missing.has(name) && nowMs - sinceMs < QUARANTINE_MS) continue;
    missingSince.delete(name);
    if (!missing.has(name)) continue;
    await client.find(nodes, { name }).then(
      (found) => found ?? gone.add(name),
      (error: unknown) => logger.warn({ error, node: name }, "whether the node is gone is not known"),
    );
  }
  return gone;
}

/** A failure is no more than logged: the Pod is looked at again. */
async function remove({ client, logger }: ControllerDeps, pod: Pod, condition?: PodCondition): Promise<void> {
  const { namespace, name = "", generation } = pod.metadata;
  try {
    const conditions = condition === undefined ? {} : { conditions: [condition] };
    if (!isPodFinished(pod)) {
      await patchPodStatus(client, pod, { phase: "Failed", observedGeneration: generation, ...conditions });
    }
    await client.delete(pods, { namespace, name }, { gracePeriodSeconds: 0 });
  } catch (error) {
    if (!isNotFound(error)) logger.warn({ error, pod: `${namespace}/${name}` }, "a Pod was not collected");
  }
}
