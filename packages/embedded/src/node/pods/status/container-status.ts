import { type Container, type ContainerState, type ContainerStatus, formatTime } from "@stowage/machinery";
import { volumeMountStatuses } from "../life/read-only-mounts.ts";

/** One start of a container, as far as its status tells. */
export interface StartedContainer {
  readonly id: string;
  /** Counted from 0. */
  readonly attempt: number;
  readonly startedMs: number;
  readonly exit?: StartedExit;
}

export interface StartedExit {
  readonly exitCode: number;
  readonly finishedMs: number;
  /** Why the program never ran, when it did not. */
  readonly startError?: string;
  /** What it left as its last words. */
  readonly message?: string;
}

export interface ContainerFacts {
  /** The latest start, and the one before it. */
  readonly latest: StartedContainer | undefined;
  readonly former: StartedContainer | undefined;
  /** Why it does not run at present, and is to. */
  readonly waiting: { readonly reason: string; readonly message?: string } | undefined;
  readonly isReady: boolean;
  /** Its startup probe has succeeded, or it has none. */
  readonly hasComeUp: boolean;
}

/** What is told of a container. `usualWait`: why one that never ran does not run yet. */
export function containerStatus(container: Container, facts: ContainerFacts, usualWait: string): ContainerStatus {
  const { latest, former, waiting } = facts;
  const isRunning = latest !== undefined && latest.exit === undefined;
  const isWaiting = waiting !== undefined && !isRunning;
  const last = isWaiting ? latest : former;
  return {
    name: container.name,
    image: container.image ?? "",
    // Without images there is nothing that would tell more of one than its name.
    imageID: latest === undefined ? "" : (container.image ?? ""),
    ...(latest !== undefined && { containerID: containerId(latest), ...resourcesOf(container) }),
    ...(container.volumeMounts !== undefined && { volumeMounts: volumeMountStatuses(container) }),
    ready: isRunning && facts.isReady,
    started: isRunning && facts.hasComeUp,
    restartCount: latest?.attempt ?? 0,
    state: isWaiting || latest === undefined ? { waiting: waiting ?? { reason: usualWait } } : stateOf(latest),
    lastState: last?.exit === undefined ? {} : stateOf(last),
  };
}

/** They are what was asked for: nothing is resized on the way. */
function resourcesOf({ resources = {} }: Container): Pick<ContainerStatus, "resources" | "allocatedResources"> {
  const { requests } = resources;
  return { resources, ...(requests !== undefined && { allocatedResources: requests }) };
}

function stateOf(start: StartedContainer): ContainerState {
  const startedAt = formatTime(start.startedMs);
  if (start.exit === undefined) return { running: { startedAt } };
  const { exitCode, finishedMs, startError, message } = start.exit;
  const told = startError === undefined ? message : startErrorText(startError);
  return {
    terminated: {
      exitCode,
      reason: reasonOf(start.exit),
      ...(told !== undefined && told !== "" && { message: told }),
      // What never ran began at no time, as container engines have it.
      startedAt: startError === undefined ? startedAt : formatTime(0),
      finishedAt: formatTime(finishedMs),
      containerID: containerId(start),
    },
  };
}

/** As containerd tells it: people and programs know it by its beginning. */
export function startErrorText(why: string): string {
  const where = "failed to create containerd task: failed to create shim task: OCI runtime create failed";
  return `${where}: runc create failed: unable to start container process: ${why}: unknown`;
}

function reasonOf({ exitCode, startError }: StartedExit): string {
  if (startError !== undefined) return "StartError";
  return exitCode === 0 ? "Completed" : "Error";
}

function containerId({ id }: StartedContainer): string {
  return `stowage://${id}`;
}
