import type { ClientHttp2Stream } from "node:http2";
import type { Credentials } from "../../api/kubeconfig-credentials.ts";
import { ApiClient } from "./api-client.ts";
import { collectionIn, configMap, nameOf } from "./config-maps.ts";
import { quantile } from "./load.ts";

export interface FanOut {
  readonly watchers: number;
  readonly writes: number;
}

export interface FanOutMs {
  readonly p50: number;
  readonly p99: number;
}

const WARM_UP_WRITES = 50;
const EVENTS_WAIT_MS = 30_000;
/** So few that the client hardly ever collects by itself while events are on their way. */
const WRITES_PER_COLLECTION = 10;

/**
 * From the moment that a write is sent until each watcher has its event. Every watcher has a connection of its own, as every client
 * of a cluster does. The next write waits for the last event, so that nobody measures a queue, and the client collects its garbage
 * between writes: left alone it does so at every fiftieth or so, on all cores for 10 ms, and that would be what p99 tells.
 */
export async function measureFanOut(
  credentials: Credentials,
  namespace: string,
  { watchers, writes }: FanOut,
): Promise<FanOutMs> {
  using stack = new DisposableStack();
  const writer = stack.use(await ApiClient.connect(credentials));
  const arrivals = new Arrivals(watchers);
  for (let index = 0; index < watchers; index++) {
    const client = stack.use(await ApiClient.connect(credentials));
    arrivals.listenTo(
      await client.open(`${collectionIn(namespace)}?watch=1&resourceVersion=${await lastVersion(writer, namespace)}`),
    );
  }
  const collect = collector();
  collect("major");
  const latenciesMs: number[] = [];
  for (let index = 0; index < WARM_UP_WRITES + writes; index++) {
    if (index % WRITES_PER_COLLECTION === 0) collect("minor");
    const sentMs = performance.now();
    const all = arrivals.next();
    const body = configMap(namespace, nameOf(index));
    await Promise.all([writer.call({ method: "POST", path: collectionIn(namespace), body }), all]);
    if (index >= WARM_UP_WRITES) latenciesMs.push(...(await all).map((arrivedMs) => arrivedMs - sentMs));
  }
  return { p50: quantile(latenciesMs, 0.5), p99: quantile(latenciesMs, 0.99) };
}

function collector(): (type: "major" | "minor") => void {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error("Node must be started with --expose-gc, as `npm run bench` does");
  return (type) => gc({ type, execution: "sync" });
}

async function lastVersion(client: ApiClient, namespace: string): Promise<string> {
  const list = await client.call({ path: `${collectionIn(namespace)}?limit=1` });
  return (JSON.parse(list.toString()) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}

const NEW_LINE = 0x0a;

/** When each watcher had the event of a write. An event is here when its last byte is. */
class Arrivals {
  readonly #watchers: number;
  #timesMs: number[] = [];
  #all: PromiseWithResolvers<readonly number[]> | undefined;

  constructor(watchers: number) {
    this.#watchers = watchers;
  }

  listenTo(stream: ClientHttp2Stream): void {
    stream.on("error", (error) => this.#all?.reject(error));
    stream.on("data", (chunk: Buffer) => {
      if (chunk.at(-1) !== NEW_LINE) return;
      this.#timesMs.push(performance.now());
      if (this.#timesMs.length === this.#watchers) this.#all?.resolve(this.#timesMs);
    });
  }

  /** Settles when all watchers have the next event. */
  async next(): Promise<readonly number[]> {
    this.#timesMs = [];
    const all = Promise.withResolvers<readonly number[]>();
    this.#all = all;
    const late = setTimeout(() => all.reject(new Error("an event did not arrive")), EVENTS_WAIT_MS);
    try {
      return await all.promise;
    } finally {
      clearTimeout(late);
    }
  }
}
