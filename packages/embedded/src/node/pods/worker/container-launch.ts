import { type Container as ContainerField, hasErrorCode, type Pod } from "@stowage/machinery";
import type { Container } from "../../runtime/index.ts";
import type { HostVolumes } from "../../volumes/host-volume.ts";
import { runHook } from "../hooks/lifecycle-hook.ts";
import { ImageAccess } from "../images/image-access.ts";
import { RestartBackoff } from "../life/restart-backoff.ts";
import { messageOf } from "../probes/network-failure.ts";
import { startErrorText } from "../status/container-status.ts";
import { containerReference, podText } from "../values/container-reference.ts";
import { podAddresses } from "../values/pod-address.ts";
import { startContainer } from "./container-start.ts";
import { stopContainer } from "./container-stop.ts";
import type { PodContainers } from "./pod-containers.ts";
import type { PodWorkerDeps } from "./pod-deps.ts";
import { pathFailure } from "./pod-folders.ts";

/** What could not be done the first time may have been a matter of a moment. */
const FIRST_RETRY_MS = 1_000;
const RETRY_MS = 10_000;

export interface ContainerLaunch {
  readonly pod: Pod;
  readonly field: ContainerField;
  readonly volumes: HostVolumes;
  /** When the start before it ended. */
  readonly lastExitMs: number | undefined;
}

/** Starts the containers of one Pod: when it is time, with what they need, and tells how it went. */
export class ContainerLauncher {
  readonly #deps: PodWorkerDeps;
  readonly #containers: PodContainers;
  readonly #images: ImageAccess;
  readonly #backoff = new RestartBackoff();
  /** By container: before when it is not tried again, after it could not be started. */
  readonly #retryAtMs = new Map<string, number>();
  /** The starts whose wait has been told. */
  readonly #toldWaits = new Set<string>();

  constructor(deps: PodWorkerDeps, containers: PodContainers) {
    this.#deps = deps;
    this.#containers = containers;
    this.#images = new ImageAccess(deps);
  }

  /** Returns how long it has to wait when it must not start yet; undefined when it was started. */
  async start(launch: ContainerLaunch, signal: AbortSignal): Promise<number | undefined> {
    const { pod, field, volumes, lastExitMs } = launch;
    const nowMs = this.#deps.clock.nowMs();
    const waitMs = this.#waitMs(launch, nowMs);
    if (waitMs !== undefined) return waitMs;
    if (lastExitMs !== undefined) this.#backoff.started(field.name, lastExitMs, nowMs);
    const image = this.#images.find(pod, field, podAddresses(pod, this.#deps.addresses));
    if (image.program === undefined) return this.#refuse(field, image.reason, image.message);
    const attempt = this.#containers.nextAttempt(pod, field.name);
    try {
      const what = { pod, container: field, attempt, volumes, image: image.program };
      const started = await startContainer(this.#deps, what);
      return await this.#started(pod, field, started, signal);
    } catch (error) {
      signal.throwIfAborted();
      const reason = hasErrorCode(error, "CONTAINER_CONFIG") ? "CreateContainerConfigError" : "CreateContainerError";
      const message = pathFailure(error);
      this.#tell(pod, field, "Warning", ["Failed", `Error: ${message}`]);
      return this.#refuse(field, reason, message);
    }
  }

  async #started(
    pod: Pod,
    field: ContainerField,
    container: Container,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    this.#tell(pod, field, "Normal", ["Created", "Container created"]);
    const { startError: why } = container.exit ?? {};
    if (why !== undefined) {
      const startError = startErrorText(why);
      this.#containers.add(container);
      this.#tell(pod, field, "Warning", ["Failed", `Error: ${startError}`]);
      this.#containers.wait(field.name, { reason: "RunContainerError", message: startError });
      this.#retryAtMs.set(field.name, this.#deps.clock.nowMs() + FIRST_RETRY_MS);
      return FIRST_RETRY_MS;
    }
    this.#tell(pod, field, "Normal", ["Started", "Container started"]);
    const failure = await this.#runPostStart(pod, field, container, signal);
    // Only now does it count as running.
    this.#containers.add(container);
    if (failure !== undefined) this.#containers.wait(field.name, { reason: "PostStartHookError", message: failure });
    this.#retryAtMs.delete(field.name);
    return undefined;
  }

  /** Returns why it failed; its container has ended then. */
  async #runPostStart(
    pod: Pod,
    field: ContainerField,
    container: Container,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const handler = field.lifecycle?.postStart;
    if (handler === undefined) return undefined;
    try {
      await runHook(this.#deps, { pod, field, container }, handler, signal);
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      this.#tell(pod, field, "Warning", ["FailedPostStartHook", "PostStartHook failed"]);
      await stopContainer(this.#deps, { pod, container, why: { message: "FailedPostStartHook" } }, signal);
      return messageOf(error);
    }
  }

  /** Undefined when it may start now. */
  #waitMs({ pod, field: { name }, lastExitMs }: ContainerLaunch, nowMs: number): number | undefined {
    const retryAtMs = this.#retryAtMs.get(name) ?? 0;
    if (retryAtMs > nowMs) return retryAtMs - nowMs;
    const latest = this.#containers.latest(name);
    const untilMs = lastExitMs === undefined ? undefined : this.#backoff.waitsUntilMs(name, lastExitMs, nowMs);
    if (latest === undefined || untilMs === undefined) return undefined;
    const whose = `container=${name} pod=${podText(pod)}`;
    const message = `back-off ${goSeconds(this.#backoff.waitMs(name))} restarting failed ${whose}`;
    this.#containers.wait(name, { reason: "CrashLoopBackOff", message });
    if (!this.#toldWaits.has(latest.id)) {
      const told = `Back-off restarting failed container ${name} in pod ${podText(pod)}`;
      this.#deps.events.event(containerReference(pod, name), "Warning", "BackOff", told);
    }
    this.#toldWaits.add(latest.id);
    return untilMs - nowMs;
  }

  #refuse({ name }: ContainerField, reason: string, message: string): number {
    const waitMs = this.#retryAtMs.has(name) ? RETRY_MS : FIRST_RETRY_MS;
    this.#retryAtMs.set(name, this.#deps.clock.nowMs() + waitMs);
    this.#containers.wait(name, { reason, message });
    return waitMs;
  }

  #tell(pod: Pod, { name }: ContainerField, type: "Normal" | "Warning", [reason, message]: readonly [string, string]) {
    this.#deps.events.event(containerReference(pod, name), type, reason, message);
  }
}

/** As Go writes durations of whole seconds: `10s`, `1m20s`, `5m0s`. */
function goSeconds(ms: number): string {
  const seconds = ms / 1000;
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
