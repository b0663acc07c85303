import type { Container, ContainerStatus, Pod } from "@stowage/machinery";
import { isRestarted, isSidecar } from "./restart-rules.ts";

export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed";

/** Of a Pod whose containers are in these states; `isEnding`: none of them is started again, whatever the policy says. */
export function podPhase(pod: Pod, statuses: readonly ContainerStatus[], isEnding: boolean): PodPhase {
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  const statusOf = ({ name }: Container) => statuses.find((status) => status.name === name);
  const inits = initContainers
    .filter((container) => !isSidecar(container))
    .map((each) => initState(pod, each, statusOf(each)));
  if (inits.includes("failed")) return "Failed";
  const sidecars = initContainers.filter(isSidecar).map((each) => sidecarState(statusOf(each)));
  const mains = containers.map((each) => mainState(pod, each, statusOf(each)));
  const hasInitialized = containers.some((each) => hasStarted(statusOf(each)));
  const isInitializing = inits.includes("pending") || (sidecars.some(({ isPending }) => isPending) && !hasInitialized);
  const all = [...sidecars.map(({ state }) => state), ...mains];
  if (isInitializing || all.includes("waiting") || all.includes("unknown")) return "Pending";
  if (all.includes("running")) return "Running";
  const ended = mains.filter((state) => state !== "none");
  if (ended.length === 0) return "Pending";
  if (!isEnding && ended.includes("restarting")) return "Running";
  return mains.every((state) => state === "succeeded") || hasSucceeded(pod, statuses) ? "Succeeded" : "Failed";
}

type InitState = "pending" | "done" | "failed";

function initState(pod: Pod, container: Container, status: ContainerStatus | undefined): InitState {
  const exit = status?.state?.terminated ?? (status?.state?.waiting && status.lastState?.terminated);
  if (exit === undefined) return "pending";
  if (exit.exitCode === 0) return "done";
  return isRestarted(container, pod.spec ?? { containers: [] }, exit.exitCode) ? "done" : "failed";
}

interface SidecarState {
  readonly state: "running" | "waiting" | "unknown" | "none";
  readonly isPending: boolean;
}

/** One that has ended is about to start again, and does not count. */
function sidecarState(status: ContainerStatus | undefined): SidecarState {
  if (status === undefined) return { state: "unknown", isPending: false };
  if (status.state?.running !== undefined) return { state: "running", isPending: status.started !== true };
  if (status.state?.terminated !== undefined || status.lastState?.terminated !== undefined) {
    return { state: "none", isPending: false };
  }
  return { state: "waiting", isPending: true };
}

type MainState = "running" | "waiting" | "unknown" | "restarting" | "succeeded" | "ended" | "none";

function mainState(pod: Pod, container: Container, status: ContainerStatus | undefined): MainState {
  if (status?.state === undefined) return "unknown";
  if (status.state.running !== undefined) return "running";
  const exit = status.state.terminated ?? status.lastState?.terminated;
  if (exit === undefined) return "waiting";
  if (isRestarted(container, pod.spec ?? { containers: [] }, exit.exitCode)) return "restarting";
  return status.state.terminated !== undefined && exit.exitCode === 0 ? "succeeded" : "ended";
}

/** By how they ended alone: those that would be started again count too once nothing is. */
function hasSucceeded({ spec }: Pod, statuses: readonly ContainerStatus[]): boolean {
  const names = new Set(spec?.containers.map(({ name }) => name));
  const ofContainers = statuses.filter(({ name }) => names.has(name));
  return ofContainers.every(({ state }) => state?.terminated?.exitCode === 0);
}

function hasStarted(status: ContainerStatus | undefined): boolean {
  return (
    status?.state?.running !== undefined ||
    status?.state?.terminated !== undefined ||
    status?.lastState?.terminated !== undefined
  );
}
