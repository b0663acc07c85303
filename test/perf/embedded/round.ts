import { setTimeout as sleep } from "node:timers/promises";
import { ApiClient } from "./api-client.ts";
import { collection, collectionIn, configMap, NAMESPACE, nameOf } from "./config-maps.ts";
import { measureFanOut } from "./fan-out.ts";
import type { Figures } from "./figures.ts";
import { measureLists } from "./lists.ts";
import { perSecond } from "./load.ts";
import type { Subject } from "./subject.ts";

export interface RoundOptions {
  readonly objects: number;
  readonly watchers: number;
  readonly signal: AbortSignal;
}

/** After it, an idle process has given memory back. */
const SETTLE_MS = 15_000;
const MIB = 1024 * 1024;
const WARM_UP = { count: 1000, inFlight: 16 } as const;
const FEW_IN_FLIGHT = 8;
/** So many that the slowest of a hundred are twenty of them. */
const WATCHED_WRITES = 2000;

/** All figures of one server, from an empty one to one that has been started again with all objects. */
export async function measureRound(subject: Subject, options: RoundOptions): Promise<Figures> {
  const readyEmptyMs = await subject.startEmpty();
  const loaded = await measureLoaded(subject, options);
  await subject.stop();
  const readyFullMs = await subject.startAgain();
  await subject.stop();
  return { readyEmpty: readyEmptyMs / 1000, readyFull: readyFullMs / 1000, ...loaded };
}

async function measureLoaded(subject: Subject, { objects, watchers, signal }: RoundOptions) {
  using client = await ApiClient.connect(subject.credentials());
  for (const namespace of [NAMESPACE, "warm-up", "applied", "watched"]) await createNamespace(client, namespace);
  await perSecond(WARM_UP, (index) => create(client, "warm-up", index));
  await client.call({ method: "DELETE", path: collectionIn("warm-up") });
  const creates = await measureCreates(client, objects);
  const rss = await settledRssMib(subject, signal);
  const writes = await measureWrites(client, objects);
  const lists = await measureLists(client, objects);
  const watch = await measureFanOut(subject.credentials(), "watched", { watchers, writes: WATCHED_WRITES });
  return {
    ...creates,
    ...writes,
    listWhole: lists.whole,
    listChunked: lists.chunked,
    listMetadata: lists.metadata,
    listTable: lists.table,
    watchP50: watch.p50,
    watchP99: watch.p99,
    rss,
    rssAfter: await settledRssMib(subject, signal),
  };
}

/** As many as there have to be, most of them with the greatest number in flight. */
async function measureCreates(client: ApiClient, objects: number) {
  const [alone, few] = [Math.floor(objects * 0.05), Math.floor(objects * 0.15)];
  const many = objects - alone - few;
  return {
    creates1: await perSecond({ count: alone, inFlight: 1 }, (index) => create(client, NAMESPACE, index)),
    creates8: await perSecond({ count: few, inFlight: FEW_IN_FLIGHT }, (index) =>
      create(client, NAMESPACE, alone + index),
    ),
    creates64: await perSecond({ count: many, inFlight: 64 }, (index) =>
      create(client, NAMESPACE, alone + few + index),
    ),
  };
}

async function measureWrites(client: ApiClient, objects: number) {
  const load = { count: Math.floor(objects * 0.3), inFlight: FEW_IN_FLIGHT };
  const updates = await perSecond(load, (index) => {
    const name = nameOf(index);
    return client.call({ method: "PUT", path: `${collection}/${name}`, body: configMap(NAMESPACE, name, 1) });
  });
  const gets = await perSecond(load, (index) => client.call({ path: `${collection}/${nameOf(index)}` }));
  // One third of them new, and each of these changed twice.
  const different = Math.ceil(load.count / 3);
  const applies = await perSecond(load, (index) =>
    apply(client, nameOf(index % different), Math.floor(index / different)),
  );
  return { updates, gets, applies };
}

function create(client: ApiClient, namespace: string, index: number): Promise<Buffer> {
  return client.call({ method: "POST", path: collectionIn(namespace), body: configMap(namespace, nameOf(index)) });
}

function apply(client: ApiClient, name: string, revision: number): Promise<Buffer> {
  return client.call({
    method: "PATCH",
    path: `${collectionIn("applied")}/${name}?fieldManager=bench`,
    headers: { "content-type": "application/apply-patch+yaml" },
    body: configMap("applied", name, revision),
  });
}

async function createNamespace(client: ApiClient, name: string): Promise<void> {
  await client.call({ method: "POST", path: "/api/v1/namespaces", body: JSON.stringify({ metadata: { name } }) });
}

async function settledRssMib(subject: Subject, signal: AbortSignal): Promise<number> {
  await sleep(SETTLE_MS, undefined, { signal });
  return (await subject.rssBytes()) / MIB;
}
