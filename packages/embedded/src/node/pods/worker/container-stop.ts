import type { Container as ContainerField, Pod } from "@stowage/machinery";
import type { Container } from "../../runtime/index.ts";
import { runHook } from "../hooks/lifecycle-hook.ts";
import { endsAfter, graceSeconds, remainingSeconds, type StopReason } from "../life/stop-plan.ts";
import { containerNamed } from "../values/container-field.ts";
import { containerReference } from "../values/container-reference.ts";
import type { PodWorkerDeps } from "./pod-deps.ts";

type StopDeps = Pick<PodWorkerDeps, "clock" | "events" | "addresses" | "logger">;

export interface ContainerStop {
  readonly pod: Pod;
  readonly container: Container;
  /** Why, while the Pod goes on. */
  readonly why?: StopReason;
  /** Resolves when it is its turn; those that need not wait have none. */
  readonly turn?: Promise<unknown>;
}

/** Ends containers of a Pod that is over, those that serve others after them. Settles when all have ended. */
export async function stopContainers(
  deps: StopDeps,
  pod: Pod,
  containers: readonly Container[],
  signal: AbortSignal,
): Promise<void> {
  const stops = containers.map((container) => {
    const before = endsAfter(pod, container.labels.containerName);
    const awaited = containers.filter(({ labels }) => before.includes(labels.containerName));
    const turn = awaited.length === 0 ? {} : { turn: Promise.all(awaited.map(({ exited }) => exited)) };
    return stopContainer(deps, { pod, container, ...turn }, signal);
  });
  await Promise.all(stops);
}

/**
 * Ends a container: its hook first, then a signal, and when its time is over there is no more asking. Throws when the signal is aborted, and
 * leaves the container to the next agent.
 */
export async function stopContainer(deps: StopDeps, stop: ContainerStop, signal: AbortSignal): Promise<void> {
  const { pod, container, why, turn } = stop;
  const field = containerNamed(pod, container.labels.containerName);
  const { clock } = deps;
  const startedMs = clock.monotonicMs();
  const grace = field === undefined ? 0 : graceSeconds(pod, field, why?.probe);
  const message = why?.message ?? `Stopping container ${container.labels.containerName}`;
  deps.events.event(containerReference(pod, container.labels.containerName), "Normal", "Killing", message);
  if (field !== undefined && grace > 0) await runPreStop(deps, { pod, container, field }, { grace, signal });
  const spent = () => (clock.monotonicMs() - startedMs) / 1000;
  const leftForTurn = grace - Math.floor(spent());
  if (turn !== undefined && leftForTurn > 0) await within(deps, turn, leftForTurn, signal);
  container.signal(stopSignalOf(field));
  await within(deps, container.exited, remainingSeconds(grace, spent()), signal);
  container.signal("SIGKILL");
  await within(deps, container.exited, Number.POSITIVE_INFINITY, signal);
}

function stopSignalOf(field: ContainerField | undefined): NodeJS.Signals {
  const wanted = field?.lifecycle?.stopSignal;
  // Signals without a name of their own cannot be sent from here.
  return wanted === undefined || wanted.startsWith("SIGRT") ? "SIGTERM" : (wanted as NodeJS.Signals);
}

async function runPreStop(
  deps: StopDeps,
  hooked: { readonly pod: Pod; readonly container: Container; readonly field: ContainerField },
  { grace, signal }: { readonly grace: number; readonly signal: AbortSignal },
): Promise<void> {
  const { pod, field, container } = hooked;
  const handler = field.lifecycle?.preStop;
  if (handler === undefined) return;
  // What the hook said may hold what nobody else is to see.
  const tellFailure = () =>
    deps.events.event(containerReference(pod, field.name), "Warning", "FailedPreStopHook", "PreStopHook failed");
  const over = new AbortController();
  let isOver = false;
  const hook = runHook(deps, hooked, handler, AbortSignal.any([signal, over.signal])).then(
    () => {
      isOver = true;
    },
    (error: unknown) => {
      isOver = true;
      if (over.signal.aborted || signal.aborted) return;
      deps.logger.debug({ error, pod: pod.metadata.name, container: field.name }, "a preStop hook failed");
      tellFailure();
    },
  );
  await within(deps, Promise.race([hook, container.exited]), grace, signal);
  over.abort();
  // A command is ended with its container.
  if (!isOver && handler.exec !== undefined) tellFailure();
}

/** Until it happens or the time is over. Throws when the signal is aborted. */
async function within(
  { clock }: StopDeps,
  happens: Promise<unknown>,
  seconds: number,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const longestMs = 2 ** 31 - 1;
  await Promise.race([happens, clock.sleep(Math.min(seconds * 1000, longestMs), either).catch(() => {})]);
  over.abort();
  signal.throwIfAborted();
}
