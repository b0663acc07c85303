import { type Clock, type PersistentVolume, persistentVolumes, silentLogger, systemClock } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createClient, type KubeClient } from "../client/index.ts";
import {
  type OpenWatch,
  openWatch,
  type Script,
  type ScriptedRequest,
  sendJson,
  sendStatus,
  startScriptedServer,
} from "../fixtures/scripted-server.ts";
import { createInformer, type InformerSelection } from "./informer.ts";
import { createInformerFactory } from "./informer-factory.ts";

const volume = (name: string, version: number, more: Partial<PersistentVolume["metadata"]> = {}): PersistentVolume => ({
  kind: "PersistentVolume",
  apiVersion: "v1",
  metadata: {
    name,
    uid: `uid-${name}`,
    resourceVersion: String(version),
    managedFields: [{ manager: "test" }],
    ...more,
  },
  spec: { storageClassName: `class-${version % 2}` },
});

const initialEnd = (version: number) => ({
  metadata: { resourceVersion: String(version), annotations: { "k8s.io/initial-events-end": "true" } },
});

/** A server whose watches the test holds in its hands, in the order in which they were opened. */
async function startWatchServer(onOther: Script = (_, response) => sendStatus(response, 404, "NotFound")) {
  const watches: { watch: OpenWatch; request: ScriptedRequest }[] = [];
  const server = await startScriptedServer((request, response) => {
    if (request.query.get("watch") !== "true") return onOther(request, response);
    watches.push({ watch: openWatch(response), request });
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const nth = async (index: number) => {
    await until(() => expect(watches.length).toBeGreaterThan(index));
    return watches[index] as (typeof watches)[number];
  };
  return { server, watches, nth };
}

type WatchServer = Awaited<ReturnType<typeof startWatchServer>>;

/** A running informer, and a record of what came over its watches and what its handlers were told. */
function follow(
  { server }: WatchServer,
  options: { selection?: InformerSelection<PersistentVolume>; resyncMs?: number; clock?: Clock } = {},
) {
  const client = createClient({ transport: server.transport });
  const received: string[] = [];
  const watch: KubeClient["watch"] = (type, watchOptions, onEvent) =>
    client.watch(type, watchOptions, (event) => {
      onEvent(event);
      received.push(event.type);
    });
  const informer = createInformer({
    client: { ...client, watch },
    type: persistentVolumes,
    clock: systemClock,
    logger: silentLogger,
    ...options,
  });
  const told: string[] = [];
  informer.addHandler({
    onAdd: (o, { isInInitialList }) =>
      told.push(`add ${o.metadata.name}@${o.metadata.resourceVersion}${isInInitialList ? " initial" : ""}`),
    onUpdate: (o, p) =>
      told.push(`update ${o.metadata.name}@${p.metadata.resourceVersion}->${o.metadata.resourceVersion}`),
    onDelete: (o, { isFinalStateUnknown }) =>
      told.push(`delete ${o.metadata.name}@${o.metadata.resourceVersion}${isFinalStateUnknown ? " unseen" : ""}`),
  });
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  return { informer, received, told, stop, running };
}

/** Only what never happens takes so long. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 5 });

describe("the initial list", () => {
  it("is streamed over the watch, and is complete at the bookmark that ends it", async () => {
    const servers = await startWatchServer();
    const { informer, received, told } = follow(servers);
    const { watch, request } = await servers.nth(0);
    expect(request.query.get("sendInitialEvents")).toBe("true");
    expect(request.query.get("resourceVersionMatch")).toBe("NotOlderThan");
    watch.send("ADDED", volume("a", 1));
    watch.send("ADDED", volume("b", 2));
    await until(() => expect(received).toEqual(["ADDED", "ADDED"]));
    expect(informer.hasSynced).toBe(false);
    watch.send("BOOKMARK", initialEnd(5));
    await informer.waitForSync();
    expect(told).toEqual(["add a@1 initial", "add b@2 initial"]);
  });

  it("has what changed while it was streamed", async () => {
    const servers = await startWatchServer();
    const { informer, told } = follow(servers);
    const { watch } = await servers.nth(0);
    for (const [index, name] of ["a", "b", "c"].entries()) watch.send("ADDED", volume(name, index + 1));
    watch.send("MODIFIED", volume("b", 4));
    watch.send("DELETED", volume("c", 5));
    watch.send("BOOKMARK", initialEnd(5));
    await informer.waitForSync();
    expect(told).toEqual(["add a@1 initial", "add b@4 initial"]);
  });

  it("falls back to pages where the server does not stream", async () => {
    const servers = await startWatchServer();
    servers.server.answerWith(({ query }, response) => {
      if (query.has("sendInitialEvents")) return sendStatus(response, 422, "Invalid");
      if (query.get("watch") === "true") return void openWatch(response);
      if (query.get("continue") === "more") {
        return sendJson(response, 200, { metadata: { resourceVersion: "9" }, items: [volume("b", 2)] });
      }
      sendJson(response, 200, { metadata: { resourceVersion: "9", continue: "more" }, items: [volume("a", 1)] });
    });
    const { informer } = follow(servers);
    await informer.waitForSync();
    expect(informer.objects.list().map((o) => o.metadata.name)).toEqual(["a", "b"]);
    await until(() => expect(servers.server.requests.at(-1)?.query.get("resourceVersion")).toBe("9"));
  });

  it("says what kept it when it does not come in time", async () => {
    const servers = await startWatchServer();
    servers.server.answerWith((_, response) => sendStatus(response, 403, "Forbidden"));
    const { informer } = follow(servers);
    await until(() => expect(informer.health().lastError).toBeDefined());
    const failure = await informer.waitForSync({ timeoutMs: 10 }).then(
      () => expect.fail("it should not be in sync"),
      (error: Error) => error,
    );
    expect(failure.message).toContain("persistentvolumes");
    expect(failure.message).toContain("Forbidden");
    expect(informer.health()).toMatchObject({ isSynced: false, isConnected: false });
  });
});

/** In sync with a@1 and b@2, at version 5. */
async function inSync(servers: WatchServer, options: Parameters<typeof follow>[1] = {}) {
  const followed = follow(servers, options);
  const { watch } = await servers.nth(0);
  watch.send("ADDED", volume("a", 1));
  watch.send("ADDED", volume("b", 2));
  watch.send("BOOKMARK", initialEnd(5));
  await followed.informer.waitForSync();
  followed.told.length = 0;
  return { ...followed, watch };
}

describe("changes", () => {
  it("are told in order, with the object before and after", async () => {
    const servers = await startWatchServer();
    const { told, watch, informer } = await inSync(servers);
    watch.send("MODIFIED", volume("a", 6));
    watch.send("ADDED", volume("c", 7));
    watch.send("DELETED", volume("b", 8));
    await until(() => expect(told).toEqual(["update a@1->6", "add c@7", "delete b@8"]));
    expect(informer.objects.get({ name: "b" })).toBeUndefined();
  });

  it("that are not newer than what is known are dropped", async () => {
    const servers = await startWatchServer();
    const { told, watch } = await inSync(servers);
    watch.send("MODIFIED", volume("a", 10));
    watch.send("MODIFIED", volume("a", 9));
    watch.send("ADDED", volume("a", 10));
    watch.send("ADDED", volume("end", 11));
    await until(() => expect(told).toEqual(["update a@1->10", "add end@11"]));
  });

  it("of an object that was deleted and made anew unseen are two lives", async () => {
    const servers = await startWatchServer();
    const { told, watch } = await inSync(servers);
    watch.send("MODIFIED", volume("a", 6, { uid: "another" }));
    await until(() => expect(told).toEqual(["delete a@1 unseen", "add a@6"]));
  });

  it("go on reaching the other handlers when one throws", async () => {
    const servers = await startWatchServer();
    const { told, watch, informer } = await inSync(servers);
    const bad = informer.addHandler({
      onUpdate: () => {
        throw new Error("a handler's mistake");
      },
    });
    watch.send("MODIFIED", volume("a", 6));
    await until(() => expect(told).toEqual(["update a@1->6"]));
    bad.remove();
  });
});

describe("a break", () => {
  it.each(["reset", "end"] as const)("by %s resumes from the last version seen, bookmarks included", async (how) => {
    const servers = await startWatchServer();
    const { received, told, watch } = await inSync(servers);
    watch.send("MODIFIED", volume("a", 6));
    watch.send("BOOKMARK", { metadata: { resourceVersion: "20" } });
    await until(() => expect(received.slice(-2)).toEqual(["MODIFIED", "BOOKMARK"]));
    watch[how]();
    const { watch: second, request } = await servers.nth(1);
    expect(request.query.get("resourceVersion")).toBe("20");
    expect(request.query.has("sendInitialEvents")).toBe(false);
    second.send("DELETED", volume("a", 21));
    await until(() => expect(told).toEqual(["update a@1->6", "delete a@21"]));
  });

  it("in the middle of an event loses nothing", async () => {
    const servers = await startWatchServer();
    const { told, watch } = await inSync(servers);
    const [whole, half] = [6, 7].map((version) => JSON.stringify({ type: "MODIFIED", object: volume("a", version) }));
    // In one piece, so that the beginning of the second has come when the first is told.
    watch.sendRaw(`${whole}\n${half?.slice(0, 50)}`);
    await until(() => expect(told).toEqual(["update a@1->6"]));
    watch.reset();
    const { watch: second, request } = await servers.nth(1);
    expect(request.query.get("resourceVersion")).toBe("6");
    second.send("MODIFIED", volume("a", 7));
    await until(() => expect(told).toEqual(["update a@1->6", "update a@6->7"]));
  });

  it("after which the version is gone lists anew, and tells the differences only", async () => {
    const servers = await startWatchServer();
    const { told, watch } = await inSync(servers);
    watch.send("ERROR", { kind: "Status", code: 410, reason: "Expired", message: "too old" });
    const { watch: second, request } = await servers.nth(1);
    expect(request.query.get("sendInitialEvents")).toBe("true");
    second.send("ADDED", volume("a", 1));
    second.send("ADDED", volume("c", 30));
    second.send("BOOKMARK", initialEnd(31));
    await until(() => expect(told).toEqual(["add c@30", "delete b@2 unseen"]));
  });

  it("by garbage is a break like any other", async () => {
    const servers = await startWatchServer();
    const { told, watch, informer } = await inSync(servers);
    watch.sendRaw("<html>proxy error</html>\n");
    const { watch: second } = await servers.nth(1);
    second.send("MODIFIED", volume("a", 6));
    await until(() => expect(told).toEqual(["update a@1->6"]));
    expect(informer.health()).toMatchObject({ isConnected: true, lastError: undefined });
  });

  it.each([
    ["at that moment", 0],
    ["while it waits to try again", 1],
  ])("is over when the informer is stopped %s: run settles and no further request is made", async (_when, sleeping) => {
    const servers = await startWatchServer();
    const clock = new ManualClock();
    const { stop, running, watch } = await inSync(servers, { clock });
    watch.reset();
    await until(() => expect(clock.sleeping).toBe(sleeping));
    stop.abort();
    await running;
    expect(clock.sleeping).toBe(0);
    await clock.advance(60_000);
    // A request of the informer's would have come before it.
    await createClient({ transport: servers.server.transport }).find(persistentVolumes, { name: "marker" });
    expect(servers.server.requests.map(({ path }) => path)).toEqual([
      "/api/v1/persistentvolumes",
      "/api/v1/persistentvolumes/marker",
    ]);
  });
});

describe("the cache", () => {
  it("keeps no managedFields, keeps what a transform leaves, and cannot be changed", async () => {
    const servers = await startWatchServer();
    const transform = (o: PersistentVolume): PersistentVolume => ({ ...o, spec: undefined });
    const { informer } = await inSync(servers, { selection: { transform } });
    const cached = informer.objects.get({ name: "a" }) as PersistentVolume;
    expect(cached.metadata.managedFields).toBeUndefined();
    expect(cached.spec).toBeUndefined();
    expect(() => {
      cached.metadata.name = "z";
    }).toThrow(TypeError);
  });

  it("is found by index, as objects change and go", async () => {
    const servers = await startWatchServer();
    const { informer, watch, told } = await inSync(servers);
    informer.addIndex("class", (o) => [o.spec?.storageClassName ?? ""]);
    const named = (value: string) => informer.objects.byIndex("class", value).map((o) => o.metadata.name);
    expect([named("class-0"), named("class-1")]).toEqual([["b"], ["a"]]);
    watch.send("MODIFIED", volume("a", 6));
    watch.send("DELETED", volume("b", 8));
    await until(() => expect(told.length).toBe(2));
    expect([named("class-0"), named("class-1")]).toEqual([["a"], []]);
  });

  it("is handed to a handler that comes late", async () => {
    const servers = await startWatchServer();
    const { informer } = await inSync(servers);
    const seen: unknown[] = [];
    const registration = informer.addHandler({ onAdd: (o) => seen.push(o.metadata.name) });
    expect(seen).toEqual(["a", "b"]);
    expect(registration.hasSynced).toBe(true);
  });

  it("is handed to all handlers again at each resync", async () => {
    const servers = await startWatchServer();
    const { told } = await inSync(servers, { resyncMs: 50 });
    await until(() => expect(told.slice(0, 2)).toEqual(["update a@1->1", "update b@2->2"]));
  });
});

describe("objects that nobody reads", () => {
  it("are not decoded for a handler that wants keys alone", async () => {
    const servers = await startWatchServer();
    const { informer, watch } = await onKeysAlone(servers);
    // Not JSON from the spec on: whoever decoded it would notice.
    watch.sendRaw(`${JSON.stringify({ type: "MODIFIED", object: volume("a", 6) }).replace(/"spec".*/, '"spec":}}')}\n`);
    await until(() => expect(informer.keys).toEqual(["a", "b", "a"]));
  });

  it("that turn out not to be JSON are fetched anew", async () => {
    const servers = await startWatchServer();
    const { informer, watch } = await onKeysAlone(servers);
    watch.sendRaw(`${JSON.stringify({ type: "MODIFIED", object: volume("a", 6) }).replace(/"spec".*/, '"spec":}}')}\n`);
    await until(() => expect(informer.keys.length).toBe(3));
    expect(() => informer.objects.get({ name: "a" })).toThrow("not JSON");
    const { watch: second, request } = await servers.nth(1);
    expect(request.query.get("sendInitialEvents")).toBe("true");
    second.send("ADDED", volume("a", 6));
    second.send("ADDED", volume("b", 2));
    second.send("BOOKMARK", initialEnd(7));
    await until(() => expect(informer.objects.get({ name: "a" })?.spec).toEqual({ storageClassName: "class-0" }));
  });

  it("break the watch on arrival where a handler takes objects, and are sent again", async () => {
    const servers = await startWatchServer();
    const { told, watch } = await inSync(servers);
    watch.sendRaw(`${JSON.stringify({ type: "MODIFIED", object: volume("a", 6) }).replace(/"spec".*/, '"spec":}}')}\n`);
    const { watch: second, request } = await servers.nth(1);
    expect(request.query.get("resourceVersion")).toBe("5");
    second.send("MODIFIED", volume("a", 6));
    await until(() => expect(told).toEqual(["update a@1->6"]));
  });

  async function onKeysAlone(servers: WatchServer) {
    const keys: string[] = [];
    const informer = createInformer({
      client: createClient({ transport: servers.server.transport }),
      type: persistentVolumes,
      clock: systemClock,
      logger: silentLogger,
    });
    informer.addHandler({ onKey: (key) => keys.push(key) });
    const stop = new AbortController();
    const running = informer.run(stop.signal);
    onTestFinished(async () => {
      stop.abort();
      await running;
    });
    const { watch } = await servers.nth(0);
    watch.send("ADDED", volume("a", 1));
    watch.send("ADDED", volume("b", 2));
    watch.send("BOOKMARK", initialEnd(5));
    await informer.waitForSync();
    return { informer: { keys, objects: informer.objects }, watch };
  }
});

describe("the factory", () => {
  it("shares one informer for each resource and selection, and runs those asked for later", async () => {
    const servers = await startWatchServer();
    const factory = createInformerFactory({ client: createClient({ transport: servers.server.transport }) });
    const all = factory.informer(persistentVolumes);
    const stop = new AbortController();
    const running = factory.run(stop.signal);
    onTestFinished(() => stop.abort());
    expect(factory.informer(persistentVolumes)).toBe(all);
    const some = factory.informer(persistentVolumes, { labelSelector: "app=x" });
    expect(some).not.toBe(all);
    for (const index of [0, 1]) (await servers.nth(index)).watch.send("BOOKMARK", initialEnd(1));
    await factory.waitForSync();
    expect(new Set(servers.watches.map(({ request }) => request.query.get("labelSelector")))).toEqual(
      new Set([null, "app=x"]),
    );
    stop.abort();
    await running;
  });
});
