import { isAlreadyExists, isConflict, type KubeClient } from "@stowage/kube";
import { type Clock, formatMicroTime, type Lease, type Logger, leases, type Node, nodes } from "@stowage/machinery";
import type { MachineFacts } from "./machine-facts.ts";
import { type AgentFacts, desiredConditions, desiredNode, desiredNodeStatus, isNewStatus } from "./node-object.ts";

export interface NodeKeeperDeps {
  readonly client: KubeClient;
  readonly agent: AgentFacts;
  readonly clock: Clock;
  readonly logger: Logger;
  readMachine(): MachineFacts;
  /** Why no Pod can run here; undefined when one can. */
  notReady(): string | undefined;
}

/** As kubelet has them. */
const LOOK_MS = 10_000;
const TELL_MS = 300_000;
const LEASE_SECONDS = 40;
const leaseNamespace = "kube-node-lease";

/**
 * Registers the node and keeps it alive: its status is looked at every ten seconds and written when it says something new, or after five
 * minutes; its lease is renewed every ten. Writes Node and its status, and the Lease in `kube-node-lease`; deletes nothing: a node that is
 * stopped is still a node.
 */
export class NodeKeeper {
  readonly #deps: NodeKeeperDeps;
  #toldMs = Number.NEGATIVE_INFINITY;

  constructor(deps: NodeKeeperDeps) {
    this.#deps = deps;
  }

  /** The Node is there, with what is ours of its labels and annotations. */
  async register(): Promise<Node> {
    const { client, agent, clock } = this.#deps;
    const desired = desiredNode(agent, this.#deps.readMachine(), clock.nowMs());
    try {
      return await client.create(nodes, desired);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    const { labels, annotations } = desired.metadata;
    const patch = { type: "merge" as const, patch: { metadata: { labels, annotations } } };
    return client.patch(nodes, { name: agent.name }, patch);
  }

  /** Until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#deps;
    while (!signal.aborted) {
      for (const work of [() => this.#renewLease(), () => this.#tellStatus()]) {
        await work().catch((error: unknown) => logger.warn({ error }, "the node could not be kept up to date"));
      }
      await clock.sleep(LOOK_MS, signal).catch(() => {});
    }
  }

  /** For what must not wait for the next look. */
  async tellStatus(): Promise<void> {
    await this.#tellStatus();
  }

  async #tellStatus(): Promise<void> {
    const { client, agent, clock } = this.#deps;
    const node = await client.find(nodes, { name: agent.name });
    if (node === undefined) {
      await this.register();
      return;
    }
    const nowMs = clock.nowMs();
    const conditions = desiredConditions(node.status?.conditions ?? [], this.#deps.notReady(), nowMs);
    const status = desiredNodeStatus(agent, this.#deps.readMachine(), { conditions });
    const isDue = clock.monotonicMs() - this.#toldMs >= TELL_MS;
    if (!isDue && !isNewStatus(node.status, status)) return;
    await client.patch(
      nodes,
      { name: agent.name },
      { type: "strategic", patch: { status } },
      { subresource: "status" },
    );
    this.#toldMs = clock.monotonicMs();
  }

  async #renewLease(): Promise<void> {
    const { client, agent, clock } = this.#deps;
    const ref = { namespace: leaseNamespace, name: agent.name };
    const renewTime = formatMicroTime(BigInt(clock.nowMs()) * 1000n);
    const lease = await client.find(leases, ref);
    if (lease !== undefined) {
      await client.update(leases, { ...lease, spec: { ...lease.spec, renewTime } }).catch(ignoreConflict);
      return;
    }
    const { metadata } = await client.get(nodes, { name: agent.name });
    await client.create(leases, newLease(agent.name, metadata.uid ?? "", renewTime));
  }
}

function newLease(name: string, uid: string, renewTime: string): Lease {
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: {
      name,
      namespace: leaseNamespace,
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name, uid }],
    },
    spec: { holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS, renewTime },
  };
}

/** Somebody else has just written it: the next turn is soon. */
function ignoreConflict(error: unknown): void {
  if (!isConflict(error)) throw error;
}
