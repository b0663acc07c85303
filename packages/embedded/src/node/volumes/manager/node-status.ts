import { createInformer, type Informer, isNotFound, type KubeClient } from "@stowage/kube";
import { type Clock, KeyedLock, type Logger, type Node, nodes } from "@stowage/machinery";

export interface NodeStatusDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly nodeName: string;
  /** What is to be in use, by unique names. */
  inUse(): readonly string[];
}

/**
 * What the Node says of volumes: `volumesInUse` is ours, so that nothing is detached while it is mounted; `volumesAttached` is the attach
 * controller's, so that nothing is mounted before.
 */
export class NodeVolumeStatus {
  readonly #deps: NodeStatusDeps;
  readonly #informer: Informer<Node>;
  readonly #lock = new KeyedLock();
  #told: readonly string[] | undefined;
  #waiting: (() => void)[] = [];

  constructor(deps: NodeStatusDeps) {
    this.#deps = deps;
    const { client, clock, logger, nodeName } = deps;
    const selection = { fieldSelector: `metadata.name=${nodeName}` };
    this.#informer = createInformer({ client, type: nodes, selection, clock, logger });
    const wake = () => {
      for (const resolve of this.#waiting.splice(0)) resolve();
    };
    this.#informer.addHandler({ onAdd: wake, onUpdate: wake });
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#informer.run(signal);
  }

  async read(): Promise<Node | undefined> {
    return this.#deps.client.find(nodes, { name: this.#deps.nodeName });
  }

  /** The Node says it when this resolves. */
  async tell(): Promise<void> {
    await this.#lock.run("node", async () => {
      const { client, nodeName } = this.#deps;
      const wanted = [...new Set(this.#deps.inUse())].toSorted((a, b) => (a < b ? -1 : 1));
      const told = this.#told ?? (await this.read())?.status?.volumesInUse ?? [];
      this.#told = told;
      if (wanted.length === told.length && wanted.every((name, index) => name === told[index])) return;
      const patch = { type: "merge" as const, patch: { status: { volumesInUse: wanted } } };
      try {
        await client.patch(nodes, { name: nodeName }, patch, { subresource: "status" });
        this.#told = wanted;
      } catch (error) {
        this.#told = undefined;
        // A Node that is gone has nothing in use; one that is made anew is told again.
        if (!isNotFound(error)) throw error;
      }
    });
  }

  /** Somebody may have made the Node anew, which says nothing then: it is looked at again. */
  async tellAgain(): Promise<void> {
    this.#told = undefined;
    await this.tell();
  }

  /** Resolves when the volume is attached to the node. */
  async attached(uniqueName: string, signal: AbortSignal): Promise<void> {
    while (!this.#isAttached(uniqueName)) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      const onAbort = () => reject(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      await promise.finally(() => signal.removeEventListener("abort", onAbort));
    }
  }

  #isAttached(uniqueName: string): boolean {
    const node = this.#informer.objects.get({ name: this.#deps.nodeName });
    return node?.status?.volumesAttached?.some(({ name }) => name === uniqueName) ?? false;
  }
}
