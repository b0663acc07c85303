import type { Informer } from "@stowage/kube";
import type { Clock, Logger, Pod } from "@stowage/machinery";
import type { NodeStats } from "./node-stats.ts";
import { exceededLimit, isSizeLimited } from "./size-limits.ts";

export interface SizeGuardDeps {
  /** Of the node. */
  readonly pods: Pick<Informer<Pod>, "objects">;
  readonly stats: Pick<NodeStats, "folders">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the Pod, and tells why. */
  evict(podUid: string, why: { readonly reason: string; readonly message: string }): void;
}

/** As often as kubelet looks. */
const LOOK_MS = 10_000;

/** Ends Pods whose folders have become larger than they may. Those in memory cannot: their file system has that size. */
export class SizeGuard {
  readonly #deps: SizeGuardDeps;

  constructor(deps: SizeGuardDeps) {
    this.#deps = deps;
  }

  /** Until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#deps;
    while (!signal.aborted) {
      try {
        await this.look(signal);
      } catch (error) {
        if (!signal.aborted) logger.warn({ error }, "the sizes of folders could not be looked at, and will be again");
      }
      await clock.sleep(LOOK_MS, signal).catch(() => {});
    }
  }

  async look(signal: AbortSignal): Promise<void> {
    const { pods, stats, evict } = this.#deps;
    const limited = pods.objects.list().filter((pod) => pod.status?.phase === "Running" && isSizeLimited(pod));
    for (const pod of limited) {
      const why = exceededLimit(pod, await stats.folders(pod, signal));
      if (why !== undefined) evict(pod.metadata.uid ?? "", why);
    }
  }
}
