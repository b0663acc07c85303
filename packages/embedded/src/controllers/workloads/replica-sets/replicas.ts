import { type Informer, isNamespaceTerminating, isNotFound, objectKey } from "@stowage/kube";
import { labelMatcherFrom, type Pod, type ReplicaSet } from "@stowage/machinery";
import {
  controllerOf,
  createPod,
  deletePod,
  type Expectations,
  type PodControl,
  podFromTemplate,
  slowStart,
} from "../../kit/index.ts";
import { deletionOrder } from "./deletion-order.ts";

/** So many at most are made or deleted in one go. */
const BURST = 500;

export interface Replicas {
  readonly control: PodControl;
  readonly expectations: Expectations;
  readonly sets: Informer<ReplicaSet>;
  readonly pods: Informer<Pod>;
}

/** Makes as many Pods as are lacking, or deletes as many as are too many. Returns what kept it from doing so. */
export async function syncReplicas(
  replicas: Replicas,
  set: ReplicaSet,
  active: readonly Pod[],
  nowMs: number,
): Promise<unknown> {
  const lacking = (set.spec?.replicas ?? 0) - active.length;
  if (lacking > 0) return await createReplicas(replicas, set, Math.min(lacking, BURST));
  if (lacking === 0) return undefined;
  const order = deletionOrder(active, relatedPods(replicas, set), nowMs);
  return await deleteReplicas(replicas, set, order.slice(0, Math.min(-lacking, BURST)));
}

async function createReplicas({ control, expectations }: Replicas, set: ReplicaSet, count: number): Promise<unknown> {
  const key = objectKey(set);
  const pod = podFromTemplate(set, set.spec?.template ?? {});
  expectations.expect(key, { creations: count });
  const { successes, error } = await slowStart(count, async () => {
    await createPod(control, set, pod).catch((failure: unknown) => {
      if (!isNamespaceTerminating(failure)) throw failure;
    });
  });
  for (let skipped = successes; skipped < count; skipped++) expectations.creationSeen(key);
  return error;
}

async function deleteReplicas(
  { control, expectations }: Replicas,
  set: ReplicaSet,
  surplus: readonly Pod[],
): Promise<unknown> {
  const key = objectKey(set);
  expectations.expect(key, { deletions: surplus.map(({ metadata }) => metadata.uid ?? "") });
  const outcomes = await Promise.allSettled(
    surplus.map(async (pod) => {
      try {
        await deletePod(control, set, pod);
      } catch (error) {
        expectations.deletionSeen(key, pod.metadata.uid ?? "");
        if (!isNotFound(error)) throw error;
      }
    }),
  );
  return outcomes.find((outcome) => outcome.status === "rejected")?.reason;
}

/** Those of all ReplicaSets of the same controller, such as a Deployment's; of the set's own when it has none. */
function relatedPods({ sets, pods }: Replicas, set: ReplicaSet): Pod[] {
  const controller = controllerOf(set);
  const related = sets.objects
    .list()
    .filter((each) => controller !== undefined && controllerOf(each)?.uid === controller.uid)
    .map((each) => labelMatcherFrom(each.spec?.selector));
  const isRelated = ({ metadata }: Pod) => related.some((selector) => selector.matches(metadata.labels ?? {}));
  return pods.objects.list().filter((pod) => pod.metadata.namespace === set.metadata.namespace && isRelated(pod));
}
