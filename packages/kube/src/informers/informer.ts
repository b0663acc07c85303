import { type Clock, type KubernetesObject, type Logger, type ResourceType, StowageError } from "@stowage/machinery";
import type { KubeClient } from "../client/kube-client.ts";
import { createCacheEntry, type Transform } from "./cached-object.ts";
import { HandlerList, type HandlerRegistration, type InformerHandler } from "./handler-list.ts";
import { type IndexFunction, ObjectCache, type ObjectReader } from "./object-cache.ts";
import { keyOf } from "./object-key.ts";
import { type Arrival, createReflector, type ReflectedSet, type ReflectorSink } from "./reflector.ts";
import { compareResourceVersions } from "./resource-version.ts";

/** What decides whether two users can share one informer. */
export interface InformerSelection<T extends KubernetesObject> extends ReflectedSet {
  /** Drops what nobody reads, on entry; managedFields are dropped always. */
  readonly transform?: Transform<T>;
}

export interface InformerDeps<T extends KubernetesObject> {
  readonly client: Pick<KubeClient, "watch" | "listAll" | "server">;
  readonly type: ResourceType<T>;
  readonly selection?: InformerSelection<T>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Hands every object to the handlers again this often, as an update of itself. */
  readonly resyncMs?: number;
  readonly streamInitialEvents?: boolean;
}

export interface InformerHealth {
  readonly isSynced: boolean;
  readonly isConnected: boolean;
  /** Why it is not connected now. */
  readonly lastError: unknown;
}

/**
 * A local copy of a set of objects that follows the server, and tells its handlers of every change. Per object, handlers see
 * versions that only rise.
 */
export interface Informer<T extends KubernetesObject> {
  readonly type: ResourceType<T>;
  readonly objects: ObjectReader<T>;
  readonly hasSynced: boolean;
  health(): InformerHealth;
  /** Objects already known are handed over at once, as additions. */
  addHandler(handler: InformerHandler<T>): HandlerRegistration;
  addIndex(name: string, valuesOf: IndexFunction<T>): void;
  /** Resolves when the first whole list is in; when time runs out, rejects with what kept it. */
  waitForSync(options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal }): Promise<void>;
  /** Follows the server until the signal is aborted. Once only. */
  run(signal: AbortSignal): Promise<void>;
}

export function createInformer<T extends KubernetesObject>(deps: InformerDeps<T>): Informer<T> {
  const { type, logger, clock } = deps;
  const { transform, ...set } = deps.selection ?? {};
  const cache = new ObjectCache<T>((error) => reflector.startOver(error));
  const handlers = new HandlerList<T>(cache, logger);
  const synced = Promise.withResolvers<void>();
  const state = { isSynced: false, isConnected: false, lastError: undefined as unknown, isRunning: false };
  const about = { resource: type.plural, group: type.group, namespace: set.namespace };

  const decodeIfWanted = (arrival: Arrival<T>) =>
    decodeOnArrival(arrival, transform !== undefined || handlers.takesObjects);
  const sink: ReflectorSink<T> = {
    replace(arrivals) {
      arrivals.forEach(decodeIfWanted);
      replaceAll(cache, handlers, arrivals, !state.isSynced);
      state.isSynced = true;
      handlers.markSynced();
      synced.resolve();
    },
    change(event, arrival) {
      decodeIfWanted(arrival);
      applyChange(cache, handlers, event, arrival);
    },
    connected() {
      if (state.lastError !== undefined) logger.info({ ...about }, "watch is connected again");
      state.isConnected = true;
      state.lastError = undefined;
    },
    failed(error) {
      // One line when the trouble begins; the same trouble at every attempt would drown the log.
      const isNews = state.lastError === undefined;
      state.isConnected = false;
      state.lastError = error;
      logger[isNews ? "warn" : "debug"]({ ...about, error }, "watch failed and will be taken up again");
    },
  };

  const { client, streamInitialEvents } = deps;
  const keep = createCacheEntry(type, transform);
  const reflector = createReflector({ client, type, set, sink, keep, clock, streamInitialEvents });

  return {
    type,
    objects: cache,
    get hasSynced() {
      return state.isSynced;
    },
    health: () => ({ isSynced: state.isSynced, isConnected: state.isConnected, lastError: state.lastError }),
    addHandler: (handler) => handlers.add(handler),
    addIndex: (name, valuesOf) => cache.addIndex(name, valuesOf),
    waitForSync: (options = {}) => waitForSync(deps, synced.promise, () => state.lastError, options),
    async run(signal) {
      if (state.isRunning) throw new TypeError(`the informer of ${type.plural} runs already`);
      state.isRunning = true;
      const stopResync = startResync(deps, cache, handlers);
      await reflector.run(signal).finally(stopResync);
      state.isConnected = false;
    },
  };
}

/**
 * Where everything is read anyway it is decoded on arrival, so that what is not JSON breaks the watch and is sent again; and a
 * transform is there to save memory, so that what it drops is not kept until somebody reads the object.
 */
function decodeOnArrival<T extends KubernetesObject>(arrival: Arrival<T>, isWanted: boolean): void {
  if (isWanted) void arrival.object;
}

function replaceAll<T extends KubernetesObject>(
  cache: ObjectCache<T>,
  handlers: HandlerList<T>,
  arrivals: readonly Arrival<T>[],
  isInitialList: boolean,
): void {
  const present = new Set<string>();
  for (const arrival of arrivals) {
    present.add(keyOf(arrival.identity));
    store(cache, handlers, arrival, isInitialList);
  }
  const gone = [...cache.keys()].filter((key) => !present.has(key));
  for (const key of gone) forget(cache, handlers, key);
}

/** Removes an object whose deletion was missed. */
function forget<T extends KubernetesObject>(cache: ObjectCache<T>, handlers: HandlerList<T>, key: string): void {
  const last = cache.arrivalOf(key) as Arrival<T>;
  cache.delete(key);
  handlers.deleted(key, last, { isFinalStateUnknown: true });
}

function applyChange<T extends KubernetesObject>(
  cache: ObjectCache<T>,
  handlers: HandlerList<T>,
  event: "ADDED" | "MODIFIED" | "DELETED",
  arrival: Arrival<T>,
): void {
  if (event !== "DELETED") return store(cache, handlers, arrival, false);
  const key = keyOf(arrival.identity);
  if (cache.arrivalOf(key) === undefined) return;
  cache.delete(key);
  handlers.deleted(key, arrival, { isFinalStateUnknown: false });
}

function store<T extends KubernetesObject>(
  cache: ObjectCache<T>,
  handlers: HandlerList<T>,
  arrival: Arrival<T>,
  isInInitialList: boolean,
): void {
  const key = keyOf(arrival.identity);
  const previous = cache.arrivalOf(key);
  if (previous !== undefined && previous.identity.uid === arrival.identity.uid) {
    const order = compareResourceVersions(arrival.identity.resourceVersion, previous.identity.resourceVersion);
    if (order !== undefined && order <= 0) return; // Seen already, or older than what is known.
    cache.set(key, arrival);
    handlers.updated(key, arrival, previous);
    return;
  }
  // Deleted and made anew while we were not looking: two lives, so handlers are told of the end of the first.
  if (previous !== undefined) forget(cache, handlers, key);
  cache.set(key, arrival);
  handlers.added(key, arrival, { isInInitialList });
}

function startResync<T extends KubernetesObject>(
  deps: InformerDeps<T>,
  cache: ObjectCache<T>,
  handlers: HandlerList<T>,
): () => void {
  if (deps.resyncMs === undefined || deps.resyncMs <= 0) return () => {};
  const timer = setInterval(() => {
    for (const key of cache.keys()) {
      const arrival = cache.arrivalOf(key) as Arrival<T>;
      handlers.updated(key, arrival, arrival);
    }
  }, deps.resyncMs);
  return () => clearInterval(timer);
}

async function waitForSync<T extends KubernetesObject>(
  { type, client }: InformerDeps<T>,
  synced: Promise<void>,
  lastError: () => unknown,
  { timeoutMs = 60_000, signal }: { timeoutMs?: number; signal?: AbortSignal },
): Promise<void> {
  const { promise: gaveUp, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => {
    const cause = lastError();
    const why = cause instanceof Error ? cause.message : "the server has not sent a whole list yet";
    const message = `${type.plural} of ${client.server} were not in sync after ${timeoutMs} ms: ${why}`;
    const nextStep = cause instanceof StowageError ? cause.nextStep : undefined;
    reject(new StowageError("INFORMER_NOT_SYNCED", message, { cause, nextStep }));
  }, timeoutMs);
  try {
    await Promise.race([synced, gaveUp]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}
