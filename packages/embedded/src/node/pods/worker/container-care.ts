import type { Pod } from "@stowage/machinery";
import type { HostVolumes } from "../../volumes/host-volume.ts";
import { type FailingContainer, podActions } from "../life/pod-actions.ts";
import type { PodProbes } from "../probes/pod-probes.ts";
import { containerNamed } from "../values/container-field.ts";
import { ContainerLauncher } from "./container-launch.ts";
import { stopContainer, stopContainers } from "./container-stop.ts";
import type { PodContainers } from "./pod-containers.ts";
import type { PodWorkerDeps } from "./pod-deps.ts";

export interface CaredPod {
  readonly containers: PodContainers;
  readonly probes: PodProbes;
  /** As it is at any time. */
  pod(): Pod;
  /** It goes on no longer than it has to. */
  isToGo(): boolean;
  /** One was started, which will end. */
  onStart(exited: Promise<unknown>): void;
}

/** Does what is to be done next with the containers of one Pod that is meant to run. */
export class ContainerCare {
  readonly #deps: PodWorkerDeps;
  readonly #cared: CaredPod;
  readonly #launcher: ContainerLauncher;

  constructor(deps: PodWorkerDeps, cared: CaredPod) {
    this.#deps = deps;
    this.#cared = cared;
    this.#launcher = new ContainerLauncher(deps, cared.containers);
  }

  /** Returns how long nothing is to be done, for ever perhaps; undefined when the Pod is over, and nothing of it runs any more. */
  async act(volumes: HostVolumes, signal: AbortSignal): Promise<number | undefined> {
    const { containers, probes } = this.#cared;
    probes.start();
    const pod = this.#cared.pod();
    const { start, stop, isOver } = podActions(
      pod,
      containers.records(pod, (field) => probes.health(field)),
    );
    if (isOver) {
      await stopContainers(this.#deps, pod, containers.running(), signal);
      return undefined;
    }
    const waits: number[] = [];
    for (const failing of stop) waits.push(await this.#replace(failing, volumes, signal));
    for (const name of start) {
      const lastExitMs = containers.latest(name)?.exit?.finishedMs;
      waits.push(await this.#start(name, { volumes, lastExitMs }, signal));
    }
    return Math.min(Number.POSITIVE_INFINITY, ...waits);
  }

  /** What waits is how long the start before it is ago: it was not its own doing that this one ends now. */
  async #replace(failing: FailingContainer, volumes: HostVolumes, signal: AbortSignal): Promise<number> {
    const { containers } = this.#cared;
    const container = containers.latest(failing.name);
    if (container === undefined) return 0;
    await stopContainer(this.#deps, { pod: this.#cared.pod(), container, why: failing }, signal);
    const lastExitMs = containers.former(failing.name)?.exit?.finishedMs;
    const isReplaced = failing.isReplaced && !this.#cared.isToGo();
    return isReplaced ? this.#start(failing.name, { volumes, lastExitMs }, signal) : 0;
  }

  async #start(
    name: string,
    { volumes, lastExitMs }: { readonly volumes: HostVolumes; readonly lastExitMs: number | undefined },
    signal: AbortSignal,
  ): Promise<number> {
    const pod = this.#cared.pod();
    const field = containerNamed(pod, name);
    if (field === undefined) return Number.POSITIVE_INFINITY;
    const waitMs = await this.#launcher.start({ pod, field, volumes, lastExitMs }, signal);
    const started = this.#cared.containers.latest(name);
    if (waitMs === undefined && started !== undefined) this.#cared.onStart(started.exited);
    return waitMs ?? Number.POSITIVE_INFINITY;
  }
}
