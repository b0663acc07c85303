import type { Container, Job, Pod } from "@stowage/machinery";
import { isPodTerminating, podFromTemplate } from "../../kit/index.ts";
import { deletionOrder } from "../replica-sets/index.ts";
import { isSuspended } from "./job-conditions.ts";
import { isIndexed, type JobFacts, replacesFailedOnly, TRACKING_FINALIZER } from "./job-facts.ts";
import { INDEX_KEY, indexOf, pendingIndexes } from "./job-indexes.ts";

const INDEX_VARIABLE = "JOB_COMPLETION_INDEX";
const NAME_LIMIT = 58;
const BURST = 500;

export interface PodPlan {
  readonly delete: readonly Pod[];
  readonly create: readonly Pod[];
}

export function podPlan(facts: JobFacts): PodPlan {
  const { job, active, terminating } = facts;
  if (isSuspended(job)) return { delete: active, create: [] };
  const wanted = wantedActive(facts);
  const surplus = surplusPods(facts, Math.max(0, active.length - wanted));
  if (surplus.length > 0) return { delete: surplus.slice(0, BURST), create: [] };
  const lacking = wanted - active.length - (replacesFailedOnly(job) ? terminating : 0);
  return { delete: [], create: lacking > 0 ? newPods(facts, Math.min(lacking, BURST)) : [] };
}

function wantedActive({ job, active, succeeded }: JobFacts): number {
  const { parallelism = 1, completions } = job.spec ?? {};
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

/** Of Pods with the same index one is enough, and those with an index that nobody asks for are too many. */
function surplusPods({ job, active, nowMs }: JobFacts, atLeast: number): Pod[] {
  const order = deletionOrder(active, [], nowMs);
  const seen = new Set<number>();
  const doubles = order.toReversed().filter((pod) => {
    if (!isIndexed(job)) return false;
    const index = indexOf(pod);
    if (index === undefined || index >= (job.spec?.completions ?? 0) || seen.has(index)) return true;
    seen.add(index);
    return false;
  });
  const others = order.filter((pod) => !doubles.includes(pod));
  return [...doubles, ...others.slice(0, Math.max(0, atLeast - doubles.length))];
}

function newPods({ job, pods, active, succeededIndexes }: JobFacts, count: number): Pod[] {
  if (!isIndexed(job)) return Array.from({ length: count }, () => jobPod(job));
  const busy = [...active, ...(replacesFailedOnly(job) ? pods.filter(isPodTerminating) : [])];
  const taken = new Set([...succeededIndexes, ...busy.map(indexOf).filter((index) => index !== undefined)]);
  return pendingIndexes(taken, count, job.spec?.completions ?? 0).map((index) => indexedPod(job, index));
}

function jobPod(job: Job): Pod {
  const pod = podFromTemplate(job, job.spec?.template ?? {});
  const others = (pod.metadata.finalizers ?? []).filter((each) => each !== TRACKING_FINALIZER);
  return { ...pod, metadata: { ...pod.metadata, finalizers: [...others, TRACKING_FINALIZER] } };
}

function indexedPod(job: Job, index: number): Pod {
  const { metadata, spec, ...pod } = jobPod(job);
  const name = job.metadata.name ?? "";
  const end = `-${index}-`;
  const own = { [INDEX_KEY]: String(index) };
  return {
    ...pod,
    metadata: {
      ...metadata,
      generateName: `${name.slice(0, NAME_LIMIT - end.length)}${end}`,
      labels: { ...metadata.labels, ...own },
      annotations: { ...metadata.annotations, ...own },
    },
    spec: {
      ...spec,
      hostname: `${name}-${index}`,
      containers: (spec?.containers ?? []).map(withIndexVariable),
      ...(spec?.initContainers && { initContainers: spec.initContainers.map(withIndexVariable) }),
    },
  };
}

function withIndexVariable(container: Container): Container {
  const { env = [] } = container;
  if (env.some(({ name }) => name === INDEX_VARIABLE)) return container;
  const fieldRef = { fieldPath: `metadata.labels['${INDEX_KEY}']` };
  return { ...container, env: [...env, { name: INDEX_VARIABLE, valueFrom: { fieldRef } }] };
}
