import {
  createController,
  type EventRecorder,
  type Informer,
  isConflict,
  type KubeClient,
  objectKey,
} from "@stowage/kube";
import {
  type Clock,
  labelMatcherFrom,
  type Pod,
  type PodDisruptionBudget,
  podDisruptionBudgets,
  pods,
  type SyncOutcome,
} from "@stowage/machinery";
import {
  type ControllerDeps,
  type ControllerPart,
  errorText,
  isSameStatus,
  queueBackoff,
  retryOnConflict,
} from "../../kit/index.ts";
import {
  desiredBudgetStatus,
  disruptedPods,
  expectedOf,
  failedBudgetStatus,
  needsScale,
  nextRecheckMs,
  selectorText,
} from "./budget-status.ts";
import { Scales } from "./wanted-scale.ts";

const NAME = "disruption-controller";
/** What its events have come from ever since. */
const COMPONENT = "controllermanager";

interface Budgets {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly budgets: Informer<PodDisruptionBudget>;
  readonly pods: Informer<Pod>;
  readonly scales: Scales;
}

/**
 * Says how many Pods may be disrupted now.
 *
 * Watches PodDisruptionBudgets and Pods; reads ReplicaSets, Deployments, StatefulSets and the scale of other controllers. Writes the
 * status of PodDisruptionBudgets and their condition DisruptionAllowed. Owns and deletes nothing.
 */
export function makeDisruptionController(deps: ControllerDeps): ControllerPart {
  const { client, clock, informers } = deps;
  const world: Budgets = {
    client,
    clock,
    recorder: deps.recorder(COMPONENT),
    budgets: informers.informer(podDisruptionBudgets),
    pods: informers.informer(pods),
    scales: new Scales(deps),
  };
  const controller = createController(deps, {
    name: "disruption",
    workers: 1,
    backoff: queueBackoff,
    sync: retryOnConflict((key) => syncBudget(world, key)),
  });
  controller.watch(world.budgets);
  controller.watch(world.pods, (pod) =>
    world.budgets.objects
      .list()
      .filter((budget) => isMeant(budget, pod))
      .map(objectKey),
  );
  return { name: NAME, run: (signal) => controller.run(signal) };
}

function isMeant({ metadata, spec }: PodDisruptionBudget, pod: Pod): boolean {
  if (metadata.namespace !== pod.metadata.namespace) return false;
  return labelMatcherFrom(spec?.selector).matches(pod.metadata.labels ?? {});
}

async function syncBudget(world: Budgets, key: string): Promise<SyncOutcome> {
  const budget = world.budgets.objects.getByKey(key);
  if (budget === undefined) return undefined;
  const nowMs = world.clock.nowMs();
  try {
    const selected = world.pods.objects.list().filter((pod) => isMeant(budget, pod));
    const scale = await expectedScale(world, budget, selected);
    const expected = expectedOf(budget, selected, scale);
    await writeStatus(world, budget, desiredBudgetStatus(budget, selected, { expected, nowMs }));
    const waitMs = nextRecheckMs(disruptedPods(budget, selected, nowMs), nowMs);
    return waitMs === undefined ? undefined : { requeueAfterMs: waitMs };
  } catch (error) {
    if (isConflict(error)) throw error;
    await writeStatus(world, budget, failedBudgetStatus(budget, errorText(error), nowMs));
    return undefined;
  }
}

async function expectedScale(world: Budgets, budget: PodDisruptionBudget, selected: readonly Pod[]): Promise<number> {
  const { recorder, scales } = world;
  if (selected.length === 0) recorder.event(budget, "Normal", "NoPods", "No matching pods found");
  if (!needsScale(budget)) return 0;
  try {
    const { scale, hasUnmanaged } = await scales.of(selected);
    if (hasUnmanaged) recorder.event(budget, "Warning", "UnmanagedPods", unmanagedMessage(budget));
    return scale;
  } catch (error) {
    const message = `Failed to calculate the number of expected pods: ${errorText(error)}`;
    recorder.event(budget, "Warning", "CalculateExpectedPodCountFailed", message);
    throw error;
  }
}

function unmanagedMessage({ spec }: PodDisruptionBudget): string {
  return [
    `Pods selected by this PodDisruptionBudget (selector: ${selectorText(spec?.selector)}) were found to be unmanaged.`,
    "As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior.",
    'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.',
  ].join(" ");
}

async function writeStatus(
  { client }: Budgets,
  budget: PodDisruptionBudget,
  status: PodDisruptionBudget["status"],
): Promise<void> {
  if (isSameStatus(budget.status, status)) return;
  await client.update(podDisruptionBudgets, { ...budget, status }, { subresource: "status" });
}
