import type { Pod } from "@stowage/machinery";
import type { HostVolumes } from "../../volumes/host-volume.ts";
import type { PodWorkerDeps } from "./pod-deps.ts";

const RETRY_MS = 1_000;

/** The volumes of one Pod: on their way, there, or given up. */
export class PodMounting {
  readonly #deps: PodWorkerDeps;
  readonly #onChange: () => void;
  readonly #stop = new AbortController();
  #isUnderWay = false;
  #volumes: HostVolumes | undefined;

  constructor(deps: PodWorkerDeps, onChange: () => void) {
    this.#deps = deps;
    this.#onChange = onChange;
  }

  /** Undefined until all of them are there. */
  get volumes(): HostVolumes | undefined {
    return this.#volumes;
  }

  /** Begins, unless it has. */
  start(pod: Pod, signal: AbortSignal): void {
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    const either = AbortSignal.any([signal, this.#stop.signal]);
    void this.#mount(pod, either).then(() => this.#onChange());
  }

  /** Those that are not there yet will not be. */
  giveUp(): void {
    this.#stop.abort();
  }

  async unmount(pod: Pod, signal: AbortSignal): Promise<void> {
    this.giveUp();
    await this.#deps.subPaths.removed(pod.metadata.uid ?? "");
    await this.#deps.volumes.unmounted(pod, signal);
  }

  async #mount(pod: Pod, signal: AbortSignal): Promise<void> {
    try {
      this.#volumes = await this.#deps.volumes.mounted(pod, signal);
    } catch (error) {
      if (signal.aborted) return;
      const { name, namespace } = pod.metadata;
      const told = { error, pod: `${namespace}/${name}` };
      this.#deps.logger.warn(told, "volumes of the Pod could not be mounted, and will be tried again");
      await this.#deps.clock.sleep(RETRY_MS, signal).catch(() => {});
      this.#isUnderWay = false;
    }
  }
}
