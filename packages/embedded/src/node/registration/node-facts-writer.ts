import { isConflict, isNotFound, type KubeClient } from "@stowage/kube";
import { csiNodes, KeyedLock, type KubernetesObject, nodes, type ResourceType, StowageError } from "@stowage/machinery";
import {
  isOwnedBy,
  labelledNode,
  type NodeFacts,
  newCsiNode,
  unlabelledNode,
  withDriver,
  withoutDriver,
} from "./driver-facts.ts";

export interface NodeFactsDeps {
  readonly client: KubeClient;
  readonly nodeName: string;
}

const ATTEMPTS = 5;

/** Writes what drivers say of the node: into its CSINode, and as annotation and labels of the Node itself. */
export class NodeFactsWriter {
  readonly #client: KubeClient;
  readonly #ref: { readonly name: string };
  readonly #lock = new KeyedLock();

  constructor({ client, nodeName }: NodeFactsDeps) {
    this.#client = client;
    this.#ref = { name: nodeName };
  }

  /** The CSINode is there, and of this Node and not of one that had its name before. */
  async ensureCsiNode(): Promise<void> {
    const [node, csiNode] = await Promise.all([
      this.#client.get(nodes, this.#ref),
      this.#client.find(csiNodes, this.#ref),
    ]);
    if (csiNode !== undefined && isOwnedBy(csiNode, node)) return;
    if (csiNode !== undefined) await this.#client.delete(csiNodes, this.#ref);
    await this.#client.create(csiNodes, newCsiNode(node));
  }

  async add(driver: string, facts: NodeFacts): Promise<void> {
    if (facts.nodeId === "") throw new StowageError("DRIVER_NOT_REGISTERED", `${driver} has no id for the node`);
    await this.#lock.run("node", async () => {
      await this.#change(nodes, (node) => labelledNode(node, driver, facts));
      await this.ensureCsiNode();
      await this.#change(csiNodes, (csiNode) => withDriver(csiNode, driver, facts));
    });
  }

  async remove(driver: string): Promise<void> {
    await this.#lock.run("node", async () => {
      await this.#change(csiNodes, (csiNode) => withoutDriver(csiNode, driver)).catch(ignoreNotFound);
      await this.#change(nodes, (node) => unlabelledNode(node, driver)).catch(ignoreNotFound);
    });
  }

  async #change<T extends KubernetesObject>(
    type: ResourceType<T>,
    changed: (object: T) => T | undefined,
  ): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const desired = changed(await this.#client.get(type, this.#ref));
      if (desired === undefined) return;
      try {
        await this.#client.update(type, desired);
        return;
      } catch (error) {
        if (!isConflict(error) || attempt >= ATTEMPTS) throw error;
      }
    }
  }
}

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
