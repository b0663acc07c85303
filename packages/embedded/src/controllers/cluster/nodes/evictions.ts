import { type EventRecorder, isNotFound, type KubeClient, refOfKey } from "@stowage/kube";
import { type Clock, type Pod, pods, type SyncOutcome, type Taint } from "@stowage/machinery";
import { disruption, patchPodStatus } from "./pod-disruption.ts";
import { toleratedMs } from "./tolerated-time.ts";

const REASON = "TaintManagerEviction";

export interface EvictionDeps {
  readonly client: Pick<KubeClient, "find" | "patch" | "delete">;
  readonly clock: Clock;
}

/** When a Pod is to be deleted; `isTold`: its time has come, and people know. */
interface Eviction {
  readonly uid: string | undefined;
  readonly dueMs: number;
  readonly isTold: boolean;
}

/** Which Pods have to go, and when. */
export class Evictions {
  readonly #deps: EvictionDeps;
  readonly #recorder: EventRecorder;
  readonly #planned = new Map<string, Eviction>();

  constructor(deps: EvictionDeps, recorder: EventRecorder) {
    this.#deps = deps;
    this.#recorder = recorder;
  }

  /**
   * Looks at the Pod with that key, which may be gone, and at its node's taints of effect NoExecute. Without a node, what was planned
   * stays so.
   */
  async sync(key: string, pod: Pod | undefined, taints: readonly Taint[] | undefined): Promise<SyncOutcome | void> {
    // Another may bear the name by now: StatefulSets give it to the next.
    if (this.#planned.get(key)?.uid !== pod?.metadata.uid) this.#cancel(key);
    const planned = this.#planned.get(key);
    if (pod === undefined || planned?.isTold || (taints === undefined && planned === undefined)) return;
    const waitMs = taints === undefined ? Number.POSITIVE_INFINITY : toleratedMs(taints, pod.spec?.tolerations ?? []);
    if (waitMs === undefined) return this.#cancel(key);
    if (waitMs === 0) this.#cancel(key);
    const nowMs = this.#deps.clock.monotonicMs();
    // Time that has begun goes on, whatever becomes of the taints, as long as some are left.
    const dueMs = waitMs === 0 ? nowMs : (planned?.dueMs ?? nowMs + waitMs);
    const { uid } = pod.metadata;
    this.#planned.set(key, { uid, dueMs, isTold: dueMs <= nowMs });
    if (dueMs > nowMs) return { requeueAfterMs: dueMs - nowMs };
    this.#tell(key, `Marking for deletion Pod ${key}`);
    await this.#evict(key, uid).catch((error: unknown) => {
      this.#planned.delete(key);
      throw error;
    });
  }

  #cancel(key: string): void {
    const planned = this.#planned.get(key);
    this.#planned.delete(key);
    if (planned !== undefined && !planned.isTold) this.#tell(key, `Cancelling deletion of Pod ${key}`);
  }

  #tell(key: string, message: string): void {
    this.#recorder.event({ apiVersion: "v1", kind: "Pod", metadata: refOfKey(key) }, "Normal", REASON, message);
  }

  async #evict(key: string, uid: string | undefined): Promise<void> {
    const { client, clock } = this.#deps;
    const pod = await client.find(pods, refOfKey(key));
    if (pod === undefined || pod.metadata.uid !== uid) return;
    const message = "Taint manager: deleting due to NoExecute taint";
    const condition = disruption(pod, "DeletionByTaintManager", message, clock.nowMs());
    await patchPodStatus(client, pod, { conditions: [condition] });
    await client.delete(pods, refOfKey(key)).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}
