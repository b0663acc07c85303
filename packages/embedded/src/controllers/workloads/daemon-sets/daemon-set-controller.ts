import { createController, type Informer, isNamespaceTerminating, isNotFound, objectKey } from "@stowage/kube";
import {
  type ControllerRevision,
  controllerRevisions,
  type DaemonSet,
  daemonSets,
  labelMatcherFrom,
  type Node,
  nodes,
  type Pod,
  pods,
  type SyncOutcome,
} from "@stowage/machinery";
import {
  type ControllerDeps,
  type ControllerPart,
  canonicalText,
  claimable,
  claimObjects,
  createPod,
  deletePod,
  Expectations,
  indexByController,
  isSameStatus,
  nextAvailabilityMs,
  type PodControl,
  podFromTemplate,
  queueBackoff,
  retryOnConflict,
  slowStart,
  watchOwned,
} from "../../kit/index.ts";
import { removeOutdated, syncHistory } from "./daemon-history.ts";
import { daemonTemplate, HASH_LABEL } from "./daemon-pod.ts";
import { desiredDaemonStatus } from "./daemon-status.ts";
import { updatePlan } from "./daemon-update.ts";
import { FailedPodBackoff } from "./failed-pod-backoff.ts";
import { type DaemonFacts, type DaemonPlan, placementPlan, podsByNode } from "./node-pods.ts";

const NAME = "daemonset-controller";
const BURST = 250;

interface Daemons extends PodControl {
  readonly sets: Informer<DaemonSet>;
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly revisions: Informer<ControllerRevision>;
  readonly expectations: Expectations;
  readonly backoff: FailedPodBackoff;
  readonly clock: ControllerDeps["clock"];
}

/**
 * Runs a Pod on each node that a DaemonSet means.
 *
 * Watches DaemonSets, Pods, Nodes and ControllerRevisions. Owns Pods and ControllerRevisions, and adopts those that its selector
 * means. Writes the status of DaemonSets. Deletes Pods that are where they should not be, have ended or have an old template, and
 * ControllerRevisions beyond the history limit.
 */
export function makeDaemonSetController(deps: ControllerDeps): ControllerPart {
  const { client, clock, informers } = deps;
  const expectations = new Expectations(clock);
  const daemons: Daemons = {
    client,
    clock,
    recorder: deps.recorder(NAME),
    sets: informers.informer(daemonSets),
    pods: informers.informer(pods),
    nodes: informers.informer(nodes),
    revisions: informers.informer(controllerRevisions),
    expectations,
    backoff: new FailedPodBackoff(clock),
  };
  indexByController(daemons.pods);
  indexByController(daemons.revisions);
  const controller = createController(deps, {
    name: "daemonset",
    workers: 2,
    backoff: queueBackoff,
    sync: retryOnConflict((key) => syncDaemonSet(daemons, key)),
  });
  const owning = { controller, owners: daemons.sets, selectorOf: ({ spec }: DaemonSet) => spec?.selector };
  watchOwned({ ...owning, owned: daemons.pods, expectations });
  watchOwned({ ...owning, owned: daemons.revisions });
  controller.watch(daemons.sets);
  controller.watch(daemons.nodes, () => daemons.sets.objects.list().map(objectKey), {
    isNews: (node, previous) => placementText(node) !== placementText(previous),
  });
  return { name: NAME, run: (signal) => controller.run(signal) };
}

/** What decides whether daemons run there: not what kubelet says every few seconds. */
function placementText({ metadata, spec }: Node): string {
  return canonicalText([metadata.labels, spec?.taints]);
}

async function syncDaemonSet(daemons: Daemons, key: string): Promise<SyncOutcome> {
  const { client, expectations, clock } = daemons;
  const set = daemons.sets.objects.getByKey(key);
  if (set === undefined || set.metadata.deletionTimestamp !== undefined) return;
  const own = await claimedPods(daemons, set);
  const { current, old } = await syncHistory(daemons, set, own);
  const hash = current.metadata.labels?.[HASH_LABEL] ?? "";
  const known = { set, hash, nodes: daemons.nodes.objects.list(), nowMs: clock.nowMs() };
  const facts: DaemonFacts = { ...known, podsByNode: podsByNode(own) };
  if (!expectations.areMet(key)) {
    await writeStatus(daemons, facts, false);
    return;
  }
  const waits: number[] = [];
  await carryOut(daemons, facts, placementPlan(facts, heldBack(daemons, facts, waits)));
  if (expectations.areMet(key) && set.spec?.updateStrategy?.type !== "OnDelete") {
    await carryOut(daemons, facts, updatePlan(facts));
  }
  await removeOutdated(client, set, { old, own });
  await writeStatus(daemons, facts, true);
  waits.push(nextAvailabilityMs(own, set.spec?.minReadySeconds ?? 0, clock.nowMs()) ?? Number.POSITIVE_INFINITY);
  const waitMs = Math.min(...waits);
  return Number.isFinite(waitMs) ? { requeueAfterMs: waitMs } : undefined;
}

async function claimedPods({ client, pods: copies }: Daemons, owner: DaemonSet): Promise<Pod[]> {
  const selector = labelMatcherFrom(owner.spec?.selector);
  const isMatch = ({ metadata }: Pod) => selector.matches(metadata.labels ?? {});
  return await claimObjects({ client, type: pods, ownerType: daemonSets, owner, isMatch }, claimable(copies, owner));
}

/** Tells of daemons that have ended, and of those that failed whether they have to wait. */
function heldBack({ recorder, backoff }: Daemons, { set }: DaemonFacts, waits: number[]) {
  return ({ metadata, status }: Pod, node: string): boolean => {
    const name = `${metadata.namespace}/${metadata.name} on node ${node}`;
    if (status?.phase === "Succeeded") {
      recorder.event(set, "Normal", "SucceededDaemonPod", `Found succeeded daemon pod ${name}, will try to delete it`);
      return false;
    }
    const waitMs = backoff.waitMs(`${set.metadata.uid}/${set.status?.observedGeneration ?? 0}/${node}`);
    if (waitMs > 0) {
      waits.push(waitMs);
      return true;
    }
    recorder.event(set, "Warning", "FailedDaemonPod", `Found failed daemon pod ${name}, will try to kill it`);
    return false;
  };
}

async function carryOut(daemons: Daemons, { set, hash }: DaemonFacts, plan: DaemonPlan): Promise<void> {
  const { expectations } = daemons;
  const key = objectKey(set);
  const create = plan.create.slice(0, BURST);
  const gone = plan.delete.slice(0, BURST);
  expectations.expect(key, { creations: create.length, deletions: gone.map(({ metadata }) => metadata.uid ?? "") });
  const { successes, error } = await slowStart(create.length, async (index) => {
    const pod = podFromTemplate(set, daemonTemplate(set, hash, create[index] ?? ""));
    await createPod(daemons, set, pod).catch((failure: unknown) => {
      if (!isNamespaceTerminating(failure)) throw failure;
    });
  });
  for (let skipped = successes; skipped < create.length; skipped++) expectations.creationSeen(key);
  const outcomes = await Promise.allSettled(
    gone.map(async (pod) => {
      await deletePod(daemons, set, pod).catch((failure: unknown) => {
        expectations.deletionSeen(key, pod.metadata.uid ?? "");
        if (!isNotFound(failure)) throw failure;
      });
    }),
  );
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (error !== undefined) throw error;
  if (failed !== undefined) throw failed.reason;
}

async function writeStatus({ client }: Daemons, facts: DaemonFacts, isActedOn: boolean): Promise<void> {
  const { set } = facts;
  const status = desiredDaemonStatus(facts, isActedOn);
  if (isSameStatus(set.status, status)) return;
  await client.update(daemonSets, { ...set, status }, { subresource: "status" });
}
