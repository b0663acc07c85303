import { isNotFound, type KubeClient } from "@stowage/kube";
import {
  type Clock,
  findCondition,
  KeyedLock,
  type Pod,
  type PodCondition,
  pods,
  setCondition,
} from "@stowage/machinery";

export interface PodWritesDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
}

export interface StatusChange {
  readonly condition?: Pick<PodCondition, "type" | "status" | "reason" | "message">;
  /** Empty: it is promised no node any more. */
  readonly nominatedNodeName?: string | undefined;
}

/** The patch that leads to what is wanted; undefined when it is so already. */
export function desiredStatusPatch(pod: Pod, change: StatusChange, nowMs: number): object | undefined {
  const { condition, nominatedNodeName } = change;
  const present = findCondition(pod.status?.conditions, condition?.type ?? "");
  const isSame =
    condition === undefined ||
    (present?.status === condition.status &&
      present.reason === condition.reason &&
      present.message === condition.message &&
      present.observedGeneration === pod.metadata.generation);
  const isNominated = nominatedNodeName === undefined || nominatedNodeName === (pod.status?.nominatedNodeName ?? "");
  if (isSame && isNominated) return undefined;
  const conditions = isSame ? {} : { conditions: [conditionOf(pod, condition, nowMs)] };
  return { status: { ...conditions, ...(isNominated ? {} : { nominatedNodeName: nominatedNodeName || null }) } };
}

function conditionOf(pod: Pod, condition: NonNullable<StatusChange["condition"]>, nowMs: number): object {
  const observedGeneration = pod.metadata.generation;
  const all = setCondition<PodCondition>(pod.status?.conditions, { ...condition, observedGeneration }, nowMs);
  return { ...findCondition(all, condition.type), lastProbeTime: null };
}

/** Writes to Pods, one after the other for each of them. */
export class PodWrites {
  readonly #deps: PodWritesDeps;
  readonly #lock = new KeyedLock();

  constructor(deps: PodWritesDeps) {
    this.#deps = deps;
  }

  /** False when the Pod is gone. */
  async status(pod: Pod, change: StatusChange): Promise<boolean> {
    const { namespace, name = "", uid = "" } = pod.metadata;
    const patch = desiredStatusPatch(pod, change, this.#deps.clock.nowMs());
    if (patch === undefined) return true;
    const write = () =>
      this.#deps.client.patch(pods, { namespace, name }, { type: "strategic", patch }, { subresource: "status" });
    return await this.#lock.run(uid, () => write().then(() => true, falseIfGone));
  }

  async bind(pod: Pod, nodeName: string): Promise<void> {
    const { namespace, name = "", uid } = pod.metadata;
    const binding = {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { namespace, name, uid },
      target: { kind: "Node", name: nodeName },
    };
    await this.#deps.client.createSubresource(pods, { namespace, name, subresource: "binding" }, binding);
  }

  async delete(pod: Pod): Promise<boolean> {
    const { namespace, name = "" } = pod.metadata;
    return await this.#deps.client.delete(pods, { namespace, name }).then(() => true, falseIfGone);
  }
}

function falseIfGone(error: unknown): false {
  if (isNotFound(error)) return false;
  throw error;
}
