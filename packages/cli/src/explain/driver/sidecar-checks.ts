import { findCondition, type Pod } from "@stowage/machinery";
import type { Facts } from "../facts.ts";
import { type Evidence, type Finding, field, inNamespace, nameOf, told } from "../finding.ts";
import { describe } from "../mending.ts";
import { containerTrouble } from "../pod/container-trouble.ts";
import { schedulingOf } from "../scheduling/scheduling-checks.ts";
import {
  isHeld,
  leaseNames,
  leasesOf,
  podsOf,
  type SidecarRole,
  sidecarWorkloads,
  type Workload,
} from "./driver-workloads.ts";

export interface SidecarQuestion {
  readonly driver: string;
  readonly role: SidecarRole;
  /** It was asked to do something, and something shows that it has begun. */
  readonly hasActed: boolean;
}

/** Whether the driver's sidecar runs, and if not, what keeps it. */
export async function sidecarDown(question: SidecarQuestion, facts: Facts): Promise<Finding | undefined> {
  const { driver, role, hasActed } = question;
  const held = await leasesOf(driver, role, facts);
  if (held.some((lease) => isHeld(lease, facts.nowMs))) return undefined;
  const workloads = await sidecarWorkloads(driver, role, facts);
  if (workloads.some(({ available }) => available > 0)) return undefined;
  const [workload] = workloads;
  if (workload !== undefined) {
    const down = await workloadDown(workload, facts);
    return { ...down, says: `The ${role} of driver ${driver} does not run: ${down.says}` };
  }
  if (hasActed) return undefined;
  const lease = leaseNames[role](driver);
  const stale = held.map((each) => field(each, "spec.renewTime", each.spec?.renewTime ?? "never"));
  return {
    cause: absent[role],
    says: `Nothing runs the ${role} of driver ${driver}: no workload has it, and nobody holds its lease.`,
    evidence: stale.length > 0 ? stale : [{ object: `Lease ${lease}`, value: "is in no namespace" }],
    mend: [`kubectl get pods -A | grep ${driver.split(".")[0]}`, "kubectl apply -f DRIVER.yaml"],
  };
}

const absent = {
  provisioner: "PROVISIONER_ABSENT",
  attacher: "ATTACHER_ABSENT",
  resizer: "RESIZER_ABSENT",
  snapshotter: "SNAPSHOTTER_ABSENT",
} as const satisfies Record<SidecarRole, string>;

/** Of a workload that has no Pod available: what keeps them. */
export async function workloadDown(workload: Workload, facts: Facts): Promise<Finding> {
  const { object, wanted, available } = workload;
  const what = nameOf(object);
  const counts = [field(object, "spec.replicas", wanted), field(object, "status.availableReplicas", available)];
  if (wanted === 0) {
    return {
      cause: "SIDECAR_SCALED_TO_ZERO",
      says: `${what} has 0 replicas.`,
      evidence: counts.slice(0, 1),
      mend: [
        `kubectl scale ${object.kind.toLowerCase()} ${object.metadata.name}${inNamespace(object.metadata)} --replicas=1`,
      ],
    };
  }
  const running = await podsOf(workload, facts);
  if (running.length === 0) return podsRefused(workload, { what, counts }, facts);
  for (const pod of running) {
    const finding = (await podUnscheduled(pod, what, facts)) ?? podDown(pod, what);
    if (finding !== undefined) return { ...finding, evidence: [...counts, ...finding.evidence] };
  }
  return {
    cause: "SIDECAR_NOT_AVAILABLE",
    says: `${what} has ${available} of ${wanted} Pods available.`,
    evidence: [...counts, ...running.map((pod) => field(pod, "status.phase", pod.status?.phase ?? "Unknown"))],
    mend: running.map(describe),
  };
}

interface About {
  readonly what: string;
  readonly counts: readonly Evidence[];
}

async function podsRefused({ object, conditions }: Workload, { what, counts }: About, facts: Facts): Promise<Finding> {
  const refusal = findCondition(conditions, "ReplicaFailure");
  const events = (await facts.eventsOf(object)).filter(({ reason }) => reason === "FailedCreate");
  const why = refusal?.message ?? events.at(-1)?.message;
  return {
    cause: "SIDECAR_PODS_REFUSED",
    says: `${what} has no Pods${why === undefined ? "" : ": the API server refuses them"}.`,
    evidence: [
      ...counts,
      ...(refusal === undefined ? [] : [field(object, "status.conditions[ReplicaFailure]", refusal.message ?? "")]),
      ...events.slice(-1).map(told),
    ],
    mend: [describe(object), `kubectl get events${inNamespace(object.metadata)} --field-selector reason=FailedCreate`],
  };
}

async function podUnscheduled(pod: Pod, what: string, facts: Facts): Promise<Finding | undefined> {
  if (pod.spec?.nodeName) return undefined;
  const [reason] = await schedulingOf(pod, facts);
  if (reason === undefined) return undefined;
  return {
    cause: "SIDECAR_UNSCHEDULABLE",
    says: `${what} has a Pod for which there is no node. ${reason.says}`,
    evidence: reason.evidence,
    mend: reason.mend,
  };
}

function podDown(pod: Pod, what: string): Finding | undefined {
  const trouble = containerTrouble(pod);
  if (trouble === undefined) return undefined;
  const { kind, says, evidence, mend } = trouble;
  const cause = kind === "image" ? "SIDECAR_IMAGE_UNAVAILABLE" : "SIDECAR_CRASHES";
  return { cause, says: `${what}: ${says}`, evidence, mend };
}
