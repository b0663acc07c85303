import { createInformer, type Informer, type KubeClient, keyOf } from "@stowage/kube";
import { type Clock, type KubernetesObject, type Logger, type ResourceType, StowageError } from "@stowage/machinery";

export interface WatchedObjectsDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** One that says of itself that it never changes need not be watched. */
type MaybeImmutable = KubernetesObject & { readonly immutable?: boolean };

interface Watched<T extends MaybeImmutable> {
  readonly informer: Informer<T>;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  readonly listeners: Set<() => void>;
}

const SYNC_MS = 10_000;

/**
 * Objects of one kind that Pods of this node use, each followed by a watch of its own for as long as somebody holds it: a node may not
 * see what none of its Pods names.
 */
export class WatchedObjects<T extends MaybeImmutable> {
  readonly #deps: WatchedObjectsDeps;
  readonly #type: ResourceType<T>;
  readonly #watched = new Map<string, Watched<T>>();
  readonly #ending = new Set<Promise<void>>();

  constructor(deps: WatchedObjectsDeps, type: ResourceType<T>) {
    this.#deps = deps;
    this.#type = type;
  }

  /** How many are followed now. */
  get size(): number {
    return this.#watched.size;
  }

  /** Follows the object until what is returned is disposed of; `onChange` may be called for what is known already. */
  hold(ref: ObjectName, onChange: () => void): Disposable {
    const key = keyOf(ref);
    const watched = this.#watched.get(key) ?? this.#start(ref);
    this.#watched.set(key, watched);
    const listener = () => onChange();
    watched.listeners.add(listener);
    return {
      [Symbol.dispose]: () => {
        watched.listeners.delete(listener);
        if (watched.listeners.size > 0 || this.#watched.get(key) !== watched) return;
        this.#watched.delete(key);
        watched.stop.abort();
      },
    };
  }

  /** What a held object is now; undefined when there is none. */
  async get(ref: ObjectName, signal: AbortSignal): Promise<T | undefined> {
    const watched = this.#watched.get(keyOf(ref));
    if (watched === undefined) throw notRegistered(ref);
    const { informer, stop } = watched;
    if (!informer.hasSynced) {
      await informer.waitForSync({ timeoutMs: SYNC_MS, signal }).catch((cause: unknown) => {
        signal.throwIfAborted();
        const message = `failed to sync ${this.#type.kind.toLowerCase()} cache: timed out waiting for the condition`;
        throw new StowageError("VOLUME_SOURCE_MISSING", message, { cause });
      });
    }
    const object = informer.objects.get(ref);
    if (object?.immutable === true) stop.abort();
    return object;
  }

  /** Settles when no watch runs any more. */
  async drained(): Promise<void> {
    await Promise.all(this.#ending);
  }

  #start({ namespace, name }: ObjectName): Watched<T> {
    const selection = { namespace, fieldSelector: `metadata.name=${name}` };
    const informer = createInformer({ ...this.#deps, type: this.#type, selection });
    const stop = new AbortController();
    const listeners = new Set<() => void>();
    const tell = () => {
      for (const listener of listeners) listener();
    };
    informer.addHandler({ onAdd: tell, onUpdate: tell, onDelete: tell });
    const ended = informer.run(stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted)
        this.#deps.logger.error({ error, namespace, name }, "an object is not followed any more");
    });
    this.#ending.add(ended);
    void ended.then(() => this.#ending.delete(ended));
    return { informer, stop, ended, listeners };
  }
}

function notRegistered({ namespace, name }: ObjectName): StowageError {
  return new StowageError("VOLUME_SOURCE_MISSING", `object "${namespace}"/"${name}" not registered`);
}
