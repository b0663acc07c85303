import type { Informer } from "@stowage/kube";
import { objectKey } from "@stowage/kube";
import type { Pod } from "@stowage/machinery";
import type { PodFailure } from "../status/pod-failure.ts";
import { refusalOf } from "./admission.ts";
import { removeOrphans } from "./orphans.ts";
import type { PodWorkerDeps } from "./pod-deps.ts";
import { PodWorker } from "./pod-worker.ts";

export interface PodManagerDeps extends Omit<PodWorkerDeps, "agentStartedMs" | "refusal"> {
  /** Of the Pods of this node alone. */
  readonly pods: Informer<Pod>;
}

interface Worked {
  readonly worker: PodWorker;
  readonly ended: Promise<void>;
}

/** Watches the Pods of the node, and has a worker for each, until nothing of it is left. */
export class PodManager {
  readonly #deps: PodWorkerDeps;
  readonly #pods: Informer<Pod>;
  /** By uid: one Pod may have the name of another that is still going. */
  readonly #workers = new Map<string, Worked>();
  /** Those of which nothing is left here, and which the API server still has: somebody else keeps them. */
  readonly #ended = new Set<string>();

  constructor({ pods, ...deps }: PodManagerDeps) {
    this.#pods = pods;
    this.#deps = {
      ...deps,
      image: (...args) => deps.image(...args),
      agentStartedMs: deps.clock.nowMs(),
      refusal: (pod) => refusalOf(deps, pod, this.#othersThan(pod)),
    };
  }

  /** Until the signal is aborted; containers run on, and are found again. */
  async run(signal: AbortSignal): Promise<void> {
    const look = (pod: Pod) => this.#look(pod, signal);
    const registration = this.#pods.addHandler({
      onAdd: look,
      onUpdate: look,
      onDelete: ({ metadata: { uid = "" } }) => {
        this.#ended.delete(uid);
        this.#workers.get(uid)?.worker.update(undefined);
      },
    });
    await Promise.all([aborted(signal), this.#removeOrphans(signal)]);
    registration.remove();
    await Promise.all([...this.#workers.values()].map(({ ended }) => ended));
  }

  /** Ends a Pod that uses more than it may, and tells why. */
  evict(podUid: string, why: PodFailure): void {
    this.#workers.get(podUid)?.worker.evict(why);
  }

  #look(pod: Pod, signal: AbortSignal): void {
    const uid = pod.metadata.uid ?? "";
    const known = this.#workers.get(uid);
    if (known !== undefined) return known.worker.update(pod);
    if (signal.aborted || this.#ended.has(uid)) return;
    const worker = new PodWorker(this.#deps, pod);
    const ended = worker.run(signal).catch((error: unknown) => {
      this.#deps.logger.error({ error, pod: objectKey(pod) }, "a Pod is not looked after any more");
    });
    this.#workers.set(uid, { worker, ended });
    void ended.then(() => {
      this.#workers.delete(uid);
      if (
        this.#pods.objects.get({ namespace: pod.metadata.namespace, name: pod.metadata.name ?? "" })?.metadata.uid ===
        uid
      )
        this.#ended.add(uid);
    });
  }

  #othersThan({ metadata }: Pod): Pod[] {
    const active = [...this.#workers.values()].filter(({ worker }) => worker.isActive);
    return active.map(({ worker }) => worker.pod).filter((pod) => pod.metadata.uid !== metadata.uid);
  }

  /** What is left of Pods that went while no agent was there; only once it is known which Pods there are. */
  async #removeOrphans(signal: AbortSignal): Promise<void> {
    try {
      await this.#pods.waitForSync({ signal });
      await removeOrphans(this.#deps, (uid) => this.#workers.has(uid), signal);
    } catch (error) {
      if (!signal.aborted) this.#deps.logger.error({ error }, "what is left of former Pods stays");
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
