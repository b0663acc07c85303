import {
  apiVersionOf,
  type Clock,
  type KubernetesObject,
  type Logger,
  type ResourceType,
  silentLogger,
  systemClock,
} from "@stowage/machinery";
import type { KubeClient } from "../client/kube-client.ts";
import { createInformer, type Informer, type InformerSelection } from "./informer.ts";

export interface InformerFactoryDeps {
  readonly client: Pick<KubeClient, "watch" | "listAll" | "server">;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly resyncMs?: number;
}

/** One informer, and so one watch and one copy in memory, for each resource and selection, however many use it. */
export interface InformerFactory {
  /** The shared informer; it runs as soon as the factory does. */
  informer<T extends KubernetesObject>(type: ResourceType<T>, selection?: InformerSelection<T>): Informer<T>;
  /** Runs every informer, also those asked for later, until the signal is aborted; settles when all have stopped. */
  run(signal: AbortSignal): Promise<void>;
  /** Of all informers asked for so far. */
  waitForSync(options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal }): Promise<void>;
}

export function createInformerFactory(deps: InformerFactoryDeps): InformerFactory {
  const { client, clock = systemClock, logger = silentLogger, resyncMs } = deps;
  const informers = new Map<string, Informer<KubernetesObject>>();
  const transformIds = new Map<unknown, number>();
  const running: Promise<void>[] = [];
  let runSignal: AbortSignal | undefined;

  const keyOf = <T extends KubernetesObject>(type: ResourceType<T>, selection: InformerSelection<T>) => {
    const { namespace, labelSelector, fieldSelector, transform } = selection;
    if (!transformIds.has(transform)) transformIds.set(transform, transformIds.size);
    const what = [apiVersionOf(type), type.plural, type.metadataOnly ?? false];
    return JSON.stringify([...what, namespace, labelSelector, fieldSelector, transformIds.get(transform)]);
  };

  return {
    informer<T extends KubernetesObject>(type: ResourceType<T>, selection: InformerSelection<T> = {}): Informer<T> {
      const key = keyOf(type, selection);
      const existing = informers.get(key);
      if (existing !== undefined) return existing as unknown as Informer<T>;
      const informer = createInformer<T>({ client, type, selection, clock, logger, resyncMs });
      informers.set(key, informer);
      if (runSignal !== undefined) running.push(informer.run(runSignal));
      return informer;
    },
    async run(signal) {
      if (runSignal !== undefined) throw new TypeError("the informer factory runs already");
      runSignal = signal;
      for (const informer of informers.values()) running.push(informer.run(signal));
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener("abort", () => resolve(), { once: true });
      });
      await Promise.all(running);
    },
    async waitForSync(options) {
      await Promise.all([...informers.values()].map((informer) => informer.waitForSync(options)));
    },
  };
}
