import { isConflict, isNotFound } from "@stowage/kube";
import { type Container, type ContainerStatus, formatTime, type Pod, type PodStatus, pods } from "@stowage/machinery";
import { createStrategicMergePatch } from "@stowage/machinery/patches";
import type { ContainerHealth } from "../life/container-record.ts";
import { containerStatus } from "../status/container-status.ts";
import { podConditions } from "../status/pod-conditions.ts";
import type { PodFailure } from "../status/pod-failure.ts";
import { type PodPhase, podPhase } from "../status/pod-phase.ts";
import { podResourceStatus } from "../status/pod-resources.ts";
import { isRestarted, isSidecar } from "../status/restart-rules.ts";
import { terminatedStatus } from "../status/terminated-status.ts";
import { podAddresses } from "../values/pod-address.ts";
import type { PodContainers } from "./pod-containers.ts";
import type { PodWorkerDeps } from "./pod-deps.ts";

export interface StatusInput {
  readonly containers: PodContainers;
  healthOf(field: Container): ContainerHealth;
  readonly hasVolumes: boolean;
  /** None of its containers is started again. */
  readonly isEnding: boolean;
  /** Why it has failed whatever its containers say. */
  readonly failure: PodFailure | undefined;
  /** It was never let onto the node. */
  readonly isRejected: boolean;
  /** Nothing of it is left on the node. */
  readonly isTerminated: boolean;
}

/** What is told of a Pod. */
export function desiredPodStatus(deps: PodWorkerDeps, pod: Pod, input: StatusInput): PodStatus {
  const { hasVolumes, isEnding, failure, isTerminated } = input;
  const nowMs = deps.clock.nowMs();
  if (input.isRejected) return rejectedStatus(pod, failure, nowMs);
  const lists = containerStatuses(pod, input);
  const { initContainerStatuses = [], containerStatuses: mains = [] } = lists;
  const statuses = [...initContainerStatuses, ...mains];
  const phase = failure === undefined ? phaseOf(pod, statuses, isEnding) : "Failed";
  const [address = ""] = deps.addresses;
  const podIPs = podAddresses(pod, deps.addresses);
  const [podIP = ""] = podIPs;
  const status: PodStatus = {
    phase,
    ...failure,
    conditions: podConditions(pod, { phase, statuses, isReadyToStart: hasVolumes && !isEnding, nowMs }),
    ...lists,
    ...podResourceStatus(pod),
    hostIP: address,
    hostIPs: deps.addresses.map((ip) => ({ ip })),
    ...(hasVolumes && { podIP, podIPs: podIPs.map((ip) => ({ ip })) }),
    ...basicStatus(pod, nowMs),
  };
  return isTerminated ? terminatedStatus(pod, status) : status;
}

function basicStatus({ metadata, status }: Pod, nowMs: number): PodStatus {
  return {
    startTime: status?.startTime ?? formatTime(nowMs),
    qosClass: status?.qosClass ?? "BestEffort",
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
  };
}

function rejectedStatus(pod: Pod, failure: PodFailure | undefined, nowMs: number): PodStatus {
  return { phase: "Failed", ...failure, ...basicStatus(pod, nowMs) };
}

/** One that has ended never comes back. */
function phaseOf(pod: Pod, statuses: readonly ContainerStatus[], isEnding: boolean): PodPhase {
  const former = pod.status?.phase;
  return former === "Succeeded" || former === "Failed" ? former : podPhase(pod, statuses, isEnding);
}

type StatusLists = Pick<PodStatus, "initContainerStatuses" | "containerStatuses" | "ephemeralContainerStatuses">;

function containerStatuses(pod: Pod, input: StatusInput): StatusLists {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = pod.spec ?? {};
  const wait = initContainers.length > 0 ? "PodInitializing" : "ContainerCreating";
  const statusOf = (field: Container) => containerStatus(field, factsOf(pod, field, input), wait);
  const inits = initContainers.map((field) => {
    const status = statusOf(field);
    return isSidecar(field) ? status : { ...status, ready: status.state?.terminated?.exitCode === 0 };
  });
  const looking = ephemeralContainers.map((field) => ({ ...statusOf(field), ready: false }));
  return {
    ...(inits.length > 0 && { initContainerStatuses: inits }),
    containerStatuses: containers.map(statusOf).toSorted(byName),
    ...(looking.length > 0 && { ephemeralContainerStatuses: looking.toSorted(byName) }),
  };
}

const byName = (a: ContainerStatus, b: ContainerStatus) => (a.name < b.name ? -1 : 1);

/** Only one that is to start waits for something. */
function factsOf(
  pod: Pod,
  field: Container,
  { containers, healthOf }: StatusInput,
): ReturnType<PodContainers["facts"]> {
  const facts = containers.facts(field, healthOf(field));
  const exitCode = facts.latest?.exit?.exitCode;
  const isEphemeral = pod.spec?.ephemeralContainers?.some(({ name }) => name === field.name) ?? false;
  const isDone =
    exitCode !== undefined && (isEphemeral || !isRestarted(field, pod.spec ?? { containers: [] }, exitCode));
  const isInitDone = exitCode === 0 && (pod.spec?.initContainers?.includes(field) ?? false) && !isSidecar(field);
  const isLeaving = pod.metadata.deletionTimestamp !== undefined && facts.latest !== undefined;
  return isDone || isInitDone || isLeaving ? { ...facts, waiting: undefined } : facts;
}

/** Writes it when it says something new; returns the Pod as it is then, or undefined when it is gone. */
export async function writeStatus(deps: PodWorkerDeps, pod: Pod, status: PodStatus): Promise<Pod | undefined> {
  const desired: Pod = { ...pod, status: plain({ ...pod.status, ...status }) };
  const patch = createStrategicMergePatch({ ...pod, status: pod.status ?? {} }, desired);
  if (Object.keys(patch).length === 0) return pod;
  const { name = "", namespace = "", uid } = pod.metadata;
  const changes = { type: "strategic" as const, patch: { ...patch, metadata: { uid } } };
  try {
    return await deps.client.patch(pods, { namespace, name }, changes, { subresource: "status" });
  } catch (error) {
    // In a conflict another Pod has the name by now.
    if (isNotFound(error) || isConflict(error)) return undefined;
    throw error;
  }
}

/** As it goes over the wire: fields that are undefined are none. */
function plain(status: PodStatus): PodStatus {
  return JSON.parse(JSON.stringify(status)) as PodStatus;
}
