import { type ContainerStatus, type Pod, parseTime } from "@stowage/machinery";
import { isTrue } from "../cell-texts.ts";
import type { Sparse } from "../printer.ts";

type SparsePod = Sparse<Pod>;
type SparseStatus = Sparse<ContainerStatus>;

/** What users read of a pod: one word for all of its containers, and how often they have been started again. */
export interface PodSummary {
  readonly reason: string;
  readonly restarts: number;
  readonly lastRestart: string | undefined;
  readonly readyContainers: number;
}

const terminalPhases: readonly (string | undefined)[] = ["Succeeded", "Failed"];

export function podStatus(pod: SparsePod): PodSummary {
  const init = initStatus(pod);
  const isInitialized = init.failure === undefined || isTrue(pod.status?.conditions, "Initialized");
  const summary = isInitialized ? runningStatus(pod, init) : { ...init.all, reason: init.failure ?? "" };
  const { deletionTimestamp } = pod.metadata ?? {};
  if (deletionTimestamp === undefined || deletionTimestamp === null) return summary;
  if (pod.status?.reason === "NodeLost") return { ...summary, reason: "Unknown" };
  return terminalPhases.includes(pod.status?.phase) ? summary : { ...summary, reason: "Terminating" };
}

export function readyText({ spec }: SparsePod, ready: number): string {
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  return `${ready}/${(spec?.containers ?? []).length + sidecars.length}`;
}

/** What the pod itself says, before its containers are looked at. */
function ownReason({ status }: SparsePod): string {
  const isGated = status?.conditions?.some(
    ({ type, reason }) => type === "PodScheduled" && reason === "SchedulingGated",
  );
  return isGated === true ? "SchedulingGated" : status?.reason || status?.phase || "";
}

interface Restarts {
  readonly restarts: number;
  readonly lastRestart: string | undefined;
}

const noRestarts: Restarts = { restarts: 0, lastRestart: undefined };

function withRestarts({ restarts, lastRestart }: Restarts, status: SparseStatus): Restarts {
  const finishedAt = status.lastState?.terminated?.finishedAt ?? undefined;
  return { restarts: restarts + (status.restartCount ?? 0), lastRestart: laterOf(lastRestart, finishedAt) };
}

function laterOf(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return parseTime(a) < parseTime(b) ? b : a;
}

interface InitSummary {
  /** Why the init containers are not done; undefined when they are. */
  readonly failure: string | undefined;
  readonly all: Restarts & { readonly readyContainers: number };
  /** Of those that go on running beside the others. */
  readonly sidecars: Restarts;
}

function initStatus({ spec, status }: SparsePod): InitSummary {
  const initContainers = spec?.initContainers ?? [];
  let [all, sidecars, readyContainers] = [noRestarts, noRestarts, 0];
  let failure: string | undefined;
  for (const [index, each] of (status?.initContainerStatuses ?? []).entries()) {
    const isSidecar = initContainers.find(({ name }) => name === each.name)?.restartPolicy === "Always";
    all = withRestarts(all, each);
    if (isSidecar) sidecars = withRestarts(sidecars, each);
    if (each.state?.terminated?.exitCode === 0) continue;
    if (isSidecar && each.started === true) {
      if (each.ready === true) readyContainers++;
      continue;
    }
    failure = `Init:${initReason(each) ?? `${index}/${initContainers.length}`}`;
    break;
  }
  return { failure, all: { ...all, readyContainers }, sidecars };
}

function initReason({ state }: SparseStatus): string | undefined {
  if (state?.terminated !== undefined) return terminationReason(state.terminated);
  const waiting = state?.waiting?.reason ?? "";
  return waiting === "" || waiting === "PodInitializing" ? undefined : waiting;
}

function terminationReason({ reason = "", signal = 0, exitCode = 0 }: SparseTermination): string {
  if (reason !== "") return reason;
  return signal === 0 ? `ExitCode:${exitCode}` : `Signal:${signal}`;
}

type SparseTermination = NonNullable<NonNullable<SparseStatus["state"]>["terminated"]>;

/** The first of the containers that has something to say has the word. */
function runningStatus(pod: SparsePod, init: InitSummary): PodSummary {
  let counted: Restarts = init.sidecars;
  let readyContainers = init.all.readyContainers;
  let reason = init.failure ?? ownReason(pod);
  let [errorReason, hasRunning] = ["", false];
  for (const each of (pod.status?.containerStatuses ?? []).toReversed()) {
    counted = withRestarts(counted, each);
    const { waiting, terminated, running } = each.state ?? {};
    if (waiting?.reason !== undefined && waiting.reason !== "") reason = waiting.reason;
    else if (terminated !== undefined) {
      reason = terminationReason(terminated);
      if (terminated.exitCode !== 0) errorReason = reason;
    } else if (each.ready === true && running !== undefined) {
      hasRunning = true;
      readyContainers++;
    }
  }
  if (reason === "Completed") reason = wordOfCompleted(pod, hasRunning, errorReason);
  return { reason, ...counted, readyContainers };
}

/** One container has done its work; the others decide. */
function wordOfCompleted({ status }: SparsePod, hasRunning: boolean, errorReason: string): string {
  const isReady = status?.conditions?.some((each) => each.type === "Ready" && each.status === "True") === true;
  if (hasRunning && isReady) return "Running";
  if (errorReason !== "") return errorReason;
  return hasRunning ? "NotReady" : "Completed";
}
