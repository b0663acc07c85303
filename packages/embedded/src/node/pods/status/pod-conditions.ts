import { type Container, type ContainerStatus, formatTime, type Pod, type PodCondition } from "@stowage/machinery";
import type { PodPhase } from "./pod-phase.ts";
import { isSidecar } from "./restart-rules.ts";

export interface ConditionInput {
  readonly phase: PodPhase;
  /** Of init containers and of the others. */
  readonly statuses: readonly ContainerStatus[];
  /** Volumes are mounted and the Pod has its place: containers may start. */
  readonly isReadyToStart: boolean;
  readonly nowMs: number;
}

type Verdict = Pick<PodCondition, "status" | "reason" | "message">;

const isTrue: Verdict = { status: "True" };
const ownTypes = new Set(["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"]);

/** All of them: those of others as they are, and the node's own. Times of change are kept where nothing changes. */
export function podConditions(pod: Pod, input: ConditionInput): PodCondition[] {
  const current = pod.status?.conditions ?? [];
  const theirs = current.filter(({ type }) => !ownTypes.has(type));
  const containersReady = containersReadyVerdict(pod, input);
  const verdicts: readonly (readonly [string, Verdict])[] = [
    ["PodReadyToStartContainers", { status: input.isReadyToStart ? "True" : "False" }],
    ["Initialized", initializedVerdict(pod, input)],
    ["Ready", containersReady.status === "True" ? gatesVerdict(pod, theirs) : containersReady],
    ["ContainersReady", containersReady],
    ["PodScheduled", isTrue],
  ];
  return [...theirs, ...verdicts.map(([type, verdict]) => dated(pod, current, { type, ...verdict }, input.nowMs))];
}

function dated(
  pod: Pod,
  current: readonly PodCondition[],
  verdict: Verdict & { type: string },
  nowMs: number,
): PodCondition {
  const before = current.find(({ type }) => type === verdict.type);
  const isSame = before?.status === verdict.status;
  const lastTransitionTime = (isSame ? before.lastTransitionTime : undefined) ?? formatTime(nowMs);
  const { generation } = pod.metadata;
  return { ...verdict, lastTransitionTime, ...(generation !== undefined && { observedGeneration: generation }) };
}

function containersReadyVerdict(pod: Pod, { phase, statuses }: ConditionInput): Verdict {
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  const counted = [...initContainers.filter(isSidecar), ...containers];
  const { unknown, others: unready } = sorted(counted, statuses, ({ ready }) => ready);
  if (phase === "Failed") return { status: "False", reason: "PodFailed" };
  if (phase === "Succeeded" && unknown.length === 0) return { status: "False", reason: "PodCompleted" };
  return told("ContainersNotReady", unknown, ["unready", unready]);
}

function initializedVerdict(pod: Pod, { phase, statuses }: ConditionInput): Verdict {
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  const { unknown, others } = sorted(initContainers, statuses, (status, container) =>
    isSidecar(container) ? status.started === true : status.ready,
  );
  if (phase === "Succeeded" && unknown.length === 0) return { status: "True", reason: "PodCompleted" };
  const hasStarted = containers.some(({ name }) => {
    const { state, lastState } = statuses.find((status) => status.name === name) ?? {};
    return state?.running !== undefined || state?.terminated !== undefined || lastState?.terminated !== undefined;
  });
  // Once it is, it stays so, also while its sidecars start anew.
  const was = pod.status?.conditions?.some(({ type, status }) => type === "Initialized" && status === "True") ?? false;
  return hasStarted || was ? isTrue : told("ContainersNotInitialized", unknown, ["incomplete", others]);
}

function gatesVerdict({ spec }: Pod, conditions: readonly PodCondition[]): Verdict {
  const messages = (spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const found = conditions.find(({ type }) => type === conditionType);
    if (found === undefined)
      return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    if (found.status === "True") return [];
    return [`the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`];
  });
  if (messages.length === 0) return isTrue;
  return { status: "False", reason: "ReadinessGatesNotReady", message: messages.join(", ") };
}

/** Those without a status, and those of which it says that they are not so far. */
function sorted(
  containers: readonly Container[],
  statuses: readonly ContainerStatus[],
  isSoFar: (status: ContainerStatus, container: Container) => boolean,
): { readonly unknown: readonly string[]; readonly others: readonly string[] } {
  const withStatus = containers.map((container) => ({
    container,
    status: statuses.find(({ name }) => name === container.name),
  }));
  return {
    unknown: withStatus.filter(({ status }) => status === undefined).map(({ container }) => container.name),
    others: withStatus
      .filter(({ status, container }) => status !== undefined && !isSoFar(status, container))
      .map(({ container }) => container.name),
  };
}

function told(reason: string, unknown: readonly string[], [how, names]: readonly [string, readonly string[]]): Verdict {
  const messages = [
    ...(unknown.length > 0 ? [`containers with unknown status: [${unknown.join(" ")}]`] : []),
    ...(names.length > 0 ? [`containers with ${how} status: [${names.join(" ")}]`] : []),
  ];
  return messages.length === 0 ? isTrue : { status: "False", reason, message: messages.join(", ") };
}
