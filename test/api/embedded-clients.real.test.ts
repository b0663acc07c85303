import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ApiException,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  Watch as NodeWatch,
  PatchStrategy,
  StorageV1Api,
  setHeaderOptions,
  type V1ConfigMap,
} from "@kubernetes/client-node";
import { type ApiServer, startApiServer } from "@stowage/embedded";
import { createClient, createInformer, createTransport, loadKubeconfig } from "@stowage/kube";
import { configMaps, silentLogger, systemClock } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WatchConnection, type WatchEvent } from "./embedded-clients/watch-connection.ts";

const namespace = "default";
const path = `/api/v1/namespaces/${namespace}/configmaps`;
const namesOf = (events: readonly WatchEvent[]) => events.map(({ type, object }) => `${type} ${object.metadata.name}`);
const versionOf = (event: WatchEvent | undefined) => event?.object.metadata.resourceVersion ?? "";

let dataDir: string;
let server: ApiServer;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "embedded-clients-"));
  server = await startApiServer({ dataDir });
});

afterEach(async () => {
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** As after a crash, at the same place. */
async function restart(): Promise<void> {
  const port = Number(new URL(server.url).port);
  await server.close();
  server = await startApiServer({ dataDir, port });
}

describe("@kubernetes/client-node and the embedded API server", () => {
  const connected = () => {
    const config = new KubeConfig();
    config.loadFromString(server.kubeconfig());
    return config;
  };
  const made = (name: string, data: Record<string, string> = {}) => ({
    namespace,
    body: { metadata: { name, labels: { of: "node" } }, data },
  });

  it("create, list, patch, replace and delete", async () => {
    const api = connected().makeApiClient(CoreV1Api);
    const created = await api.createNamespacedConfigMap(made("one", { a: "1" }));
    expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date);
    const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
    const patch = { name: "one", namespace, body: { data: { b: "2" } } };
    expect((await api.patchNamespacedConfigMap(patch, merge)).data).toEqual({ a: "1", b: "2" });
    const stale = api.replaceNamespacedConfigMap({ name: "one", namespace, body: created });
    await expect(stale).rejects.toMatchObject({ code: 409 });
    const { items, metadata } = await api.listNamespacedConfigMap({ namespace, labelSelector: "of=node" });
    expect(items.map(({ data }) => data)).toEqual([{ a: "1", b: "2" }]);
    expect(Number(metadata?.resourceVersion)).toBeGreaterThan(0);
    await api.deleteNamespacedConfigMap({ name: "one", namespace });
    const missing: unknown = await api.readNamespacedConfigMap({ name: "one", namespace }).catch((error) => error);
    expect(missing).toBeInstanceOf(ApiException);
    expect(missing).toMatchObject({ code: 404 });
  });

  it("apply objects of any kind, those of definitions, too", async () => {
    const config = connected();
    const objects = KubernetesObjectApi.makeApiClient(config);
    const storage = config.makeApiClient(StorageV1Api);
    const storageClass = {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name: "fast" },
      provisioner: "disks.example.com",
    };
    await objects.create(storageClass);
    expect((await storage.readStorageClass({ name: "fast" })).volumeBindingMode).toBe("Immediate");
    const apply = { ...storageClass, metadata: { name: "fast", annotations: { a: "b" } } };
    await objects.patch(apply, undefined, undefined, "tester", undefined, PatchStrategy.ServerSideApply);
    expect((await storage.readStorageClass({ name: "fast" })).metadata?.annotations).toEqual({ a: "b" });
    await objects.create(definition);
    const custom = config.makeApiClient(CustomObjectsApi);
    const place = { group: "example.com", version: "v1", namespace, plural: "widgets" };
    const body = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" }, spec: { size: 1 } };
    await expect
      .poll(() =>
        custom.listNamespacedCustomObject(place).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await custom.createNamespacedCustomObject({ ...place, body });
    expect(await custom.getNamespacedCustomObject({ ...place, name: "w" })).toMatchObject({ spec: { size: 1 } });
  });

  it("watch", async () => {
    const config = connected();
    const api = config.makeApiClient(CoreV1Api);
    const seen: string[] = [];
    const watching = await new NodeWatch(config).watch(
      path,
      { labelSelector: "of=node" },
      (phase: string, object: V1ConfigMap) => seen.push(`${phase} ${object.metadata?.name}`),
      () => {},
    );
    await api.createNamespacedConfigMap(made("seen"));
    await api.deleteNamespacedConfigMap({ name: "seen", namespace });
    await expect.poll(() => seen).toEqual(["ADDED seen", "DELETED seen"]);
    watching.abort();
  });

  it("follow by an informer", async () => {
    const config = connected();
    const api = config.makeApiClient(CoreV1Api);
    await api.createNamespacedConfigMap(made("before"));
    const informer = makeInformer<V1ConfigMap>(config, path, () => api.listNamespacedConfigMap({ namespace }));
    const failures: unknown[] = [];
    informer.on("error", (error) => failures.push(error));
    await informer.start();
    await api.createNamespacedConfigMap(made("after"));
    await expect.poll(() => informer.list().map((each) => each.metadata?.name)).toEqual(["before", "after"]);
    await api.deleteNamespacedConfigMap({ name: "before", namespace });
    await expect.poll(() => informer.list().map((each) => each.metadata?.name)).toEqual(["after"]);
    await informer.stop();
    expect(failures).toEqual([]);
  });
});

describe("watches over HTTP/2, as client-go has them, on the embedded API server", () => {
  const create = (connection: WatchConnection, name: string) =>
    connection.send("POST", path, { metadata: { name, labels: { name } } });

  it("are many on one connection, each with its own selection", async () => {
    using connection = new WatchConnection(server.kubeconfig());
    const watches = await Promise.all([
      connection.watch(`${path}?watch=true`),
      connection.watch(`${path}?watch=true&labelSelector=name%3Db`),
      connection.watch(`${path}?watch=true&fieldSelector=metadata.name%3Da`),
      connection.watch("/api/v1/configmaps?watch=true"),
    ]);
    for (const name of ["a", "b", "c"]) expect((await create(connection, name)).code).toBe(201);
    const [all, byLabel, byField, everywhere] = watches;
    expect(namesOf((await all?.take(3)) ?? [])).toEqual(["ADDED a", "ADDED b", "ADDED c"]);
    expect(namesOf((await byLabel?.take(1)) ?? [])).toEqual(["ADDED b"]);
    expect(namesOf((await byField?.take(1)) ?? [])).toEqual(["ADDED a"]);
    expect(namesOf((await everywhere?.take(3)) ?? [])).toEqual(["ADDED a", "ADDED b", "ADDED c"]);
    for (const watch of watches) watch[Symbol.dispose]();
    expect((await create(connection, "d")).code, "the connection has outlived its watches").toBe(201);
  });

  it("begin with what is there, say when that was all, and go on from there after a reconnect", async () => {
    const streamed = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    using first = new WatchConnection(server.kubeconfig());
    for (const name of ["b", "a"]) await create(first, name);
    const watch = await first.watch(`${path}?${streamed}`);
    const events = await watch.take(3);
    expect(namesOf(events.slice(0, 2))).toEqual(["ADDED a", "ADDED b"]);
    const [, , bookmark] = events;
    expect(bookmark).toMatchObject({
      type: "BOOKMARK",
      object: { kind: "ConfigMap", metadata: { annotations: { "k8s.io/initial-events-end": "true" } } },
    });
    first[Symbol.dispose]();
    using second = new WatchConnection(server.kubeconfig());
    await create(second, "c");
    await second.send("DELETE", `${path}/a`);
    const again = await second.watch(`${path}?watch=true&resourceVersion=${versionOf(bookmark)}`);
    expect(namesOf(await again.take(2))).toEqual(["ADDED c", "DELETED a"]);
  });

  it("are told how far they are before their time is over", async () => {
    using connection = new WatchConnection(server.kubeconfig());
    await create(connection, "a");
    // Of another kind, so that nothing but a bookmark tells of it.
    const { text } = await connection.send("POST", "/api/v1/namespaces", { metadata: { name: "other" } });
    const watch = await connection.watch(`${path}?watch=true&allowWatchBookmarks=true&timeoutSeconds=3`);
    const [added, bookmark] = await watch.take(2);
    expect([added?.type, bookmark?.type]).toEqual(["ADDED", "BOOKMARK"]);
    const made = Number(JSON.parse(text).metadata.resourceVersion);
    expect(Number(versionOf(bookmark))).toBeGreaterThanOrEqual(made);
    expect(await watch.next(), "the end").toBeUndefined();
  });

  it("are told that it is too late for the version they ask for, and can begin anew", async () => {
    using before = new WatchConnection(server.kubeconfig());
    const old = JSON.parse((await create(before, "a")).text).metadata.resourceVersion as string;
    await create(before, "b");
    await restart();
    using after = new WatchConnection(server.kubeconfig());
    const late = await after.watch(`${path}?watch=true&resourceVersion=${old}`);
    expect(await late.next()).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } });
    const list = JSON.parse((await after.send("GET", path)).text);
    expect(list.items.map((item: WatchEvent["object"]) => item.metadata.name)).toEqual(["a", "b"]);
    const { resourceVersion } = list.metadata;
    const watch = await after.watch(`${path}?watch=true&resourceVersion=${resourceVersion}`);
    await create(after, "c");
    expect(namesOf(await watch.take(1))).toEqual(["ADDED c"]);
  });
});

describe("our own client and the embedded API server", () => {
  it.each([
    ["streamed", true],
    ["paged", false],
  ])("follow a %s list through a restart of the server", async (_how, streamInitialEvents) => {
    const transport = createTransport(
      await loadKubeconfig({ path: server.kubeconfigPath ?? "", env: {}, homeDir: "/" }),
    );
    const client = createClient({ transport });
    const create = (name: string) => client.create(configMaps, { metadata: { namespace, name } });
    const informer = createInformer({
      client,
      clock: systemClock,
      logger: silentLogger,
      type: configMaps,
      selection: { namespace },
      streamInitialEvents,
    });
    const names = () => informer.objects.list().map(({ metadata }) => metadata.name);
    const stop = new AbortController();
    await create("before");
    const running = informer.run(stop.signal);
    await informer.waitForSync();
    expect(names()).toEqual(["before"]);
    await create("while");
    await expect.poll(names).toEqual(["before", "while"]);
    await restart();
    await create("after");
    await expect.poll(names, { timeout: 30_000 }).toEqual(["before", "while", "after"]);
    stop.abort();
    await running;
    transport.close();
  });
});

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
          },
        },
      },
    ],
  },
};
