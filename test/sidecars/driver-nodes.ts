import type { KubeClient } from "@stowage/kube";
import { csiNodes, nodes } from "@stowage/machinery";

export interface DriverNode {
  /** Of the Node; none is made when left out. */
  readonly labels?: Record<string, string>;
  /** The topology keys that kubelet registered; no CSINode is made when left out. */
  readonly keys?: readonly string[];
}

/** Nodes without a kubelet, on which the driver is registered. Their names begin with the bench's namespace. */
export class DriverNodes implements AsyncDisposable {
  readonly #client: KubeClient;
  readonly #driverName: string;
  readonly #prefix: string;
  readonly #made = new Set<string>();

  constructor({ client, driverName, namespace }: { client: KubeClient; driverName: string; namespace: string }) {
    this.#client = client;
    this.#driverName = driverName;
    this.#prefix = namespace;
  }

  nameOf(node: string): string {
    return `${this.#prefix}-${node}`;
  }

  async add(node: string, { labels, keys }: DriverNode): Promise<void> {
    const name = this.nameOf(node);
    this.#made.add(name);
    if (labels !== undefined) await this.#client.create(nodes, { metadata: { name, labels } });
    if (keys === undefined) return;
    const drivers = [{ name: this.#driverName, nodeID: name, topologyKeys: [...keys] }];
    await this.#client.create(csiNodes, { metadata: { name }, spec: { drivers } });
  }

  /** Pods can be put there, though nobody runs them. */
  async addReady(node: string, { cpu, ...about }: DriverNode & { readonly cpu: string }): Promise<void> {
    await this.add(node, about);
    const name = this.nameOf(node);
    const now = new Date().toISOString();
    const ready = { type: "Ready", status: "True", lastHeartbeatTime: now, lastTransitionTime: now };
    const resources = { cpu, memory: "64Gi", pods: "100" };
    const patch = { status: { conditions: [ready], capacity: resources, allocatable: resources } };
    await this.#client.patch(nodes, { name }, { type: "merge", patch }, { subresource: "status" });
  }

  async setLabels(node: string, labels: Record<string, string | null>): Promise<void> {
    await this.#client.patch(nodes, { name: this.nameOf(node) }, { type: "merge", patch: { metadata: { labels } } });
  }

  /** As when the driver is uninstalled there. */
  async unregister(node: string): Promise<void> {
    await this.#client.delete(csiNodes, { name: this.nameOf(node) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of this.#made) {
      if ((await this.#client.find(csiNodes, { name })) !== undefined) await this.#client.delete(csiNodes, { name });
      if ((await this.#client.find(nodes, { name })) !== undefined) await this.#client.delete(nodes, { name });
    }
  }
}
