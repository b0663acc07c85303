import type { Container, Pod } from "@stowage/machinery";
import { isRestarted, isSidecar } from "../status/restart-rules.ts";
import { type ContainerRecord, type ContainerRecords, isRunning } from "./container-record.ts";
import type { StopReason } from "./stop-plan.ts";

/** One that a probe has found to be ill, or that is not what it is to be any more. */
export interface FailingContainer extends StopReason {
  readonly name: string;
  /** It starts anew at once. */
  readonly isReplaced: boolean;
}

/** What is to be done next with the containers of a Pod. */
export interface PodActions {
  /** In this order. */
  readonly start: readonly string[];
  readonly stop: readonly FailingContainer[];
  /** Nothing is left to do for it: what still runs is to be stopped. */
  readonly isOver: boolean;
}

const over: PodActions = { start: [], stop: [], isOver: true };

/** Of a Pod that is meant to run. */
export function podActions(pod: Pod, records: ContainerRecords): PodActions {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = pod.spec ?? {};
  // Those that look into a Pod start at any time, and once.
  const looking = ephemeralContainers.map(({ name }) => name).filter((name) => !hasStarted(records.get(name)));
  // Once the others have run, init containers are history; sidecars start again by themselves.
  const hasInitialized = containers.some(({ name }) => hasStarted(records.get(name)));
  const inits = hasInitialized ? sidecarsToStart(pod, records) : initsToStart(pod, records);
  if (inits.isFailed) return over;
  const sidecars = initContainers.filter(isSidecar).flatMap((each) => failingSidecar(each, records.get(each.name)));
  if (inits.isWaiting) return { start: [...looking, ...inits.start], stop: sidecars, isOver: false };
  const start = containers.filter((each) => isToStart(pod, each, records.get(each.name))).map(({ name }) => name);
  const failing = containers.flatMap((each) => failingContainer(pod, each, records.get(each.name)));
  const isKept = ({ name }: Container) =>
    isRunning(records.get(name)) && failing.every((each) => each.name !== name || each.isReplaced);
  if (start.length === 0 && !containers.some(isKept)) return over;
  return { start: [...looking, ...inits.start, ...start], stop: [...sidecars, ...failing], isOver: false };
}

interface InitActions {
  readonly start: readonly string[];
  /** The next in line has not come so far that the rest may start. */
  readonly isWaiting: boolean;
  readonly isFailed: boolean;
}

/** One after the other; sidecars stay, and the next waits only until they have come up. The last that ever ran says how far it is. */
function initsToStart(pod: Pod, records: ContainerRecords): InitActions {
  const inits = pod.spec?.initContainers ?? [];
  const place = inits.findLastIndex(({ name }) => hasStarted(records.get(name)));
  const again = inits
    .slice(0, Math.max(0, place))
    .filter((each) => isSidecar(each) && !isRunning(records.get(each.name)))
    .map(({ name }) => name);
  const current = inits[place];
  const record = current === undefined ? undefined : records.get(current.name);
  const upTo = (names: readonly string[]): InitActions => ({
    start: [...again, ...names],
    isWaiting: true,
    isFailed: false,
  });
  if (current !== undefined && !isDone(current, record)) {
    if (isRunning(record)) return upTo([]);
    if (isToStart(pod, current, record)) return upTo([current.name]);
    return { start: [], isWaiting: true, isFailed: true };
  }
  const next = inits[place + 1];
  return next === undefined ? { start: again, isWaiting: false, isFailed: false } : upTo([next.name]);
}

/** The next may start. */
function isDone(container: Container, record: ContainerRecord | undefined): boolean {
  return isSidecar(container) ? isRunning(record) && record?.hasComeUp === true : record?.exit?.exitCode === 0;
}

function sidecarsToStart(pod: Pod, records: ContainerRecords): InitActions {
  const sidecars = (pod.spec?.initContainers ?? []).filter(isSidecar);
  const start = sidecars.filter((each) => isToStart(pod, each, records.get(each.name))).map(({ name }) => name);
  return { start, isWaiting: false, isFailed: false };
}

function isToStart(pod: Pod, container: Container, record: ContainerRecord | undefined): boolean {
  if (!hasStarted(record)) return true;
  if (record?.exit === undefined) return false;
  const isInit = pod.spec?.initContainers?.includes(container) === true && !isSidecar(container);
  if (isInit && record.exit.exitCode === 0) return false;
  return isRestarted(container, pod.spec ?? { containers: [] }, record.exit.exitCode);
}

function hasStarted(record: ContainerRecord | undefined): boolean {
  return record?.startedMs !== undefined;
}

function failingSidecar({ name }: Container, record: ContainerRecord | undefined): FailingContainer[] {
  if (!isRunning(record)) return [];
  if (record?.isChanged === true) {
    return [{ name, message: `Init container ${name} definition changed`, isReplaced: true }];
  }
  const probe = record?.isFailing;
  if (probe === undefined) return [];
  return [{ name, probe, message: `Init container ${name} failed ${probe} probe`, isReplaced: true }];
}

function failingContainer(pod: Pod, container: Container, record: ContainerRecord | undefined): FailingContainer[] {
  const { name } = container;
  if (!isRunning(record)) return [];
  if (record?.isChanged === true) {
    return [{ name, message: `Container ${name} definition changed, will be restarted`, isReplaced: true }];
  }
  const probe = record?.isFailing;
  if (probe === undefined) return [];
  // By policy alone: rules are about exit codes, and there is none yet.
  const isReplaced = (container.restartPolicy ?? pod.spec?.restartPolicy) !== "Never";
  const message = `Container ${name} failed ${probe} probe${isReplaced ? ", will be restarted" : ""}`;
  return [{ name, probe, message, isReplaced }];
}
