import { type EventRecorder, type Informer, isConflict, isNotFound } from "@stowage/kube";
import { type KubernetesObject, type Lease, leases, type Node, nodes, type Pod, pods } from "@stowage/machinery";
import type { ControllerDeps, ControllerPart } from "../../kit/index.ts";
import { heartbeatOf, isLost, type NodeHealth, nextHealth, readyOf, unknownConditions } from "./node-health.ts";
import { desiredNoExecuteTaints, isGivenUp, type ReadyStatus } from "./node-taints.ts";
import { notReadyPod, writePodStatus, writeTaints } from "./node-writes.ts";
import { podsByNode } from "./pods-by-node.ts";
import { ZoneWatch } from "./zone-watch.ts";

const MONITOR_MS = 5_000;
const EVICTION_MS = 1_000;
const LEASE_NAMESPACE = "kube-node-lease";

/**
 * Notices nodes that are lost.
 *
 * Watches Nodes, their Leases and Pods, and looks every five seconds. Writes the conditions of nodes that have said nothing for too long
 * (`Unknown`), takes the readiness from the Pods on them, and writes the taints of effect NoExecute, by which others evict Pods: one
 * node after another, and none at all when all nodes are lost. Tells of nodes that come, go and are lost by events.
 */
export function createNodeLifecycle(deps: ControllerDeps): ControllerPart {
  const monitor = new NodeMonitor(deps);
  const repeated = async (work: () => Promise<void>, everyMs: number, signal: AbortSignal) => {
    while (!signal.aborted) {
      await work().catch((error: unknown) => deps.logger.warn({ error }, "the health of nodes was not looked at"));
      await deps.clock.sleep(everyMs, signal).catch(() => {});
    }
  };
  return {
    name: "node-lifecycle-controller",
    async run(signal) {
      const looking = repeated(() => monitor.look(), MONITOR_MS, signal);
      await Promise.all([looking, repeated(() => monitor.evictNext(), EVICTION_MS, signal)]);
    },
  };
}

class NodeMonitor {
  readonly #deps: ControllerDeps;
  readonly #nodes: Informer<Node>;
  readonly #leases: Informer<Lease>;
  readonly #pods: Informer<Pod>;
  readonly #recorder: EventRecorder;
  readonly #health = new Map<string, NodeHealth>();
  readonly #known = new Map<string, Node>();
  /** Nodes some of whose Pods still say that they are ready. */
  readonly #unfinished = new Set<string>();
  readonly #zones: ZoneWatch;

  constructor(deps: ControllerDeps) {
    this.#deps = deps;
    this.#nodes = deps.informers.informer(nodes);
    this.#leases = deps.informers.informer(leases, { namespace: LEASE_NAMESPACE });
    this.#pods = deps.informers.informer(pods);
    this.#pods.addIndex(podsByNode.name, podsByNode.valuesOf);
    this.#recorder = deps.recorder("node-controller");
    this.#zones = new ZoneWatch(deps.clock);
  }

  async look(): Promise<void> {
    const all = this.#nodes.objects.list();
    this.#noteComingAndGoing(all);
    const looked = await Promise.all(all.map((node) => this.#lookAt(node)));
    const mode = this.#zones.update(looked.flatMap((each) => each ?? []));
    if (mode === "allLost") await Promise.all(all.map((node) => this.#setNoExecute(node, "True")));
    // Whatever kept us from hearing of them is over: their time begins anew.
    if (mode === "back") for (const [name, health] of this.#health) this.#health.set(name, this.#asOfNow(health));
  }

  async evictNext(): Promise<void> {
    for (const name of this.#zones.due()) {
      const node = this.#nodes.objects.getByKey(name);
      const ready = node && readyOf(node)?.status;
      if (node === undefined || ready === undefined || ready === "True") continue;
      if (!(await this.#setNoExecute(node, ready))) this.#zones.add(node);
    }
  }

  #asOfNow(health: NodeHealth): NodeHealth {
    return { ...health, seenMs: this.#deps.clock.nowMs() };
  }

  #noteComingAndGoing(all: readonly Node[]): void {
    const present = new Map(all.map((node) => [node.metadata.name ?? "", node]));
    for (const [name, node] of present) {
      if (!this.#known.has(name)) this.#tellOf(node, "RegisteredNode", `Registered Node ${name} in Controller`);
      this.#known.set(name, node);
    }
    const gone = [...this.#known].filter(([name]) => !present.has(name));
    for (const [name, node] of gone) {
      this.#tellOf(node, "RemovingNode", `Removing Node ${name} from Controller`);
      for (const each of [this.#known, this.#health]) each.delete(name);
      this.#unfinished.delete(name);
      this.#zones.remove(node);
    }
  }

  #tellOf(node: Node, reason: string, what: string): void {
    this.#recorder.event(aboutNode(node), "Normal", reason, `Node ${node.metadata.name} event: ${what}`);
  }

  /** What it is now, unless it could not be written: then the next look decides. */
  async #lookAt(seen: Node): Promise<{ node: Node; ready: ReadyStatus | undefined } | undefined> {
    const { clock } = this.#deps;
    const name = seen.metadata.name ?? "";
    const lease = this.#leases.objects.get({ namespace: LEASE_NAMESPACE, name });
    const health = nextHealth(this.#health.get(name), seen, lease, clock.nowMs());
    this.#health.set(name, health);
    const conditions = isLost(health, seen, clock.nowMs()) ? unknownConditions(seen, clock.nowMs()) : undefined;
    const node = conditions === undefined ? seen : await this.#declareLost(seen, conditions);
    if (node === undefined) return undefined;
    // What was written here is no sign of life.
    this.#health.set(name, { ...health, heartbeat: heartbeatOf(node) });
    const ready = readyOf(node)?.status;
    if (ready !== undefined) await this.#act(node, ready, readyOf(seen)?.status === "True" && ready !== "True");
    return { node, ready };
  }

  async #declareLost(node: Node, conditions: NonNullable<Node["status"]>["conditions"]): Promise<Node | undefined> {
    const written = { ...node, status: { ...node.status, conditions } };
    return await this.#deps.client.update(nodes, written, { subresource: "status" }).catch((error: unknown) => {
      if (isConflict(error) || isNotFound(error)) return undefined;
      throw error;
    });
  }

  async #act(node: Node, ready: ReadyStatus, isNewlyLost: boolean): Promise<void> {
    const name = node.metadata.name ?? "";
    if (ready === "True") {
      this.#zones.remove(node);
      await this.#setNoExecute(node, ready);
      return;
    }
    // One that is given up already has its taint exchanged at once.
    if (isGivenUp(node)) await this.#setNoExecute(node, ready);
    else this.#zones.add(node);
    if (isNewlyLost) {
      this.#recorder.event(aboutNode(node), "Normal", "NodeNotReady", `Node ${name} status is now: NodeNotReady`);
    }
    if (isNewlyLost || this.#unfinished.has(name)) await this.#unreadyPods(name);
  }

  /** False when somebody else has changed the node meanwhile. */
  async #setNoExecute(node: Node, ready: ReadyStatus): Promise<boolean> {
    const { client, clock } = this.#deps;
    try {
      await writeTaints(client, node, desiredNoExecuteTaints(node, ready, clock.nowMs()));
      return true;
    } catch (error) {
      if (isConflict(error)) return false;
      if (isNotFound(error)) return true;
      throw error;
    }
  }

  async #unreadyPods(nodeName: string): Promise<void> {
    const { client, clock } = this.#deps;
    const changed = this.#pods.objects
      .byIndex(podsByNode.name, nodeName)
      .flatMap((pod) => notReadyPod(pod, clock.nowMs()) ?? []);
    this.#unfinished.delete(nodeName);
    for (const pod of changed) {
      await writePodStatus(client, pod).then(
        (isThere) => isThere && this.#recorder.event(pod, "Warning", "NodeNotReady", "Node is not ready"),
        () => this.#unfinished.add(nodeName),
      );
    }
  }
}

function aboutNode({ metadata }: Node): KubernetesObject {
  return { apiVersion: "v1", kind: "Node", metadata: { name: metadata.name, uid: metadata.uid } };
}
