import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, createTransport, type KubeClient, loadKubeconfig } from "@stowage/kube";
import {
  configMaps,
  customResourceDefinitions,
  endpointSlices,
  endpoints,
  namespaces,
  nodes,
  type ResourceType,
  secrets,
  serviceAccounts,
  services,
} from "@stowage/machinery";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../apiserver/index.ts";
import { actingControllers } from "../../fixtures/acting-controllers.ts";
import { runControllers } from "../controller-manager.ts";
import { ownedBy } from "./fixtures/cluster-objects.ts";
import { clusterParts } from "./index.ts";

let stack: AsyncDisposableStack;
let client: KubeClient;
let server: ApiServer;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  server = stack.use(await startApiServer());
  const folder = mkdtempSync(join(tmpdir(), "cluster-controllers-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "kubeconfig");
  writeFileSync(path, server.kubeconfig({ user: "admin", group: "system:masters" }), { mode: 0o600 });
  const transport = createTransport(await loadKubeconfig({ path, env: {}, homeDir: "/" }));
  client = createClient({ transport: stack.adopt(transport, (opened) => opened.close()) });
  await client.create(namespaces, { metadata: { name: "shop" } });
});

afterEach(() => stack.disposeAsync());

/** The controllers of this room, until they are stopped or the test ends. */
function start(): () => Promise<void> {
  const stopping = new AbortController();
  const { accountTokenKey } = server;
  const acting = actingControllers(server, stack);
  const manager = { ...acting, parts: clusterParts, rootCertificate: "PEM", accountTokenKey };
  const running = runControllers(manager, stopping.signal);
  const stop = () => {
    stopping.abort();
    return running;
  };
  stack.defer(stop);
  return stop;
}

const tokenReviews: ResourceType = {
  group: "authentication.k8s.io",
  version: "v1",
  plural: "tokenreviews",
  kind: "TokenReview",
  namespaced: false,
};
const inShop = (name: string) => ({ name, namespace: "shop" });
const soon = { timeout: 20_000, interval: 20 };
const ownedIn = async (name: string, owner: string, more: Parameters<typeof ownedBy>[1] = {}) => {
  const { metadata } = await client.get(configMaps, inShop(owner));
  const reference = ownedBy(owner, { uid: metadata.uid ?? "", ...more });
  return await client.create(configMaps, { metadata: { ...inShop(name), ownerReferences: [reference] } });
};

it("collects what lost its owner while nobody looked", async () => {
  await client.create(configMaps, { metadata: inShop("owner") });
  await ownedIn("child", "owner");
  const stop = start();
  await expect.poll(() => client.find(serviceAccounts, inShop("default")), soon).toBeDefined();
  await stop();
  await client.delete(configMaps, inShop("owner"), { propagationPolicy: "Background" });
  start();
  await expect.poll(() => client.find(configMaps, inShop("child")), soon).toBeUndefined();
});

it("goes on with a deletion in the foreground that somebody else has begun", async () => {
  await client.create(configMaps, { metadata: inShop("owner") });
  await ownedIn("child", "owner", { blockOwnerDeletion: true });
  await client.delete(configMaps, inShop("owner"), { propagationPolicy: "Foreground" });
  expect((await client.get(configMaps, inShop("owner"))).metadata.finalizers).toEqual(["foregroundDeletion"]);
  start();
  await expect.poll(() => client.find(configMaps, inShop("owner")), soon).toBeUndefined();
  expect(await client.find(configMaps, inShop("child"))).toBeUndefined();
});

it("follows kinds that are defined while it runs", async () => {
  start();
  const names = { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" };
  const schema = { openAPIV3Schema: { type: "object" } } as const;
  const versions = [{ name: "v1", served: true, storage: true, schema }];
  const spec = { group: "example.org", names, scope: "Namespaced" as const, versions };
  await client.create(customResourceDefinitions, { metadata: { name: "widgets.example.org" }, spec });
  const widgets: ResourceType = {
    group: "example.org",
    version: "v1",
    plural: "widgets",
    kind: "Widget",
    namespaced: true,
  };
  const isServed = () =>
    client.list(widgets).then(
      () => true,
      () => false,
    );
  await expect.poll(isServed, soon).toBe(true);
  await client.create(widgets, { metadata: inShop("owner") });
  const { metadata } = await client.get(widgets, inShop("owner"));
  const owner = ownedBy("owner", { apiVersion: "example.org/v1", kind: "Widget", uid: metadata.uid ?? "" });
  await client.create(configMaps, { metadata: { ...inShop("child"), ownerReferences: [owner] } });
  await client.delete(widgets, inShop("owner"));
  await expect.poll(() => client.find(configMaps, inShop("child")), soon).toBeUndefined();
});

it("empties namespaces, also such as have been waiting for it", async () => {
  await client.create(configMaps, { metadata: inShop("a") });
  await client.delete(namespaces, { name: "shop" });
  expect((await client.get(namespaces, { name: "shop" })).status?.phase).toBe("Terminating");
  start();
  await expect.poll(() => client.find(namespaces, { name: "shop" }), soon).toBeUndefined();
});

it("gives every namespace what Pods rely on, and every Service its endpoints", async () => {
  start();
  await client.create(services, { metadata: inShop("web"), spec: { selector: { app: "web" }, ports: [{ port: 80 }] } });
  await expect.poll(() => client.find(serviceAccounts, inShop("default")), soon).toBeDefined();
  await expect
    .poll(() => client.find(configMaps, inShop("kube-root-ca.crt")), soon)
    .toMatchObject({ data: { "ca.crt": "PEM" } });
  await expect.poll(() => client.find(endpoints, inShop("web")), soon).toBeDefined();
  await expect.poll(async () => (await client.list(endpointSlices, { namespace: "shop" })).items.length, soon).toBe(1);
  await client.delete(services, inShop("web"));
  await expect.poll(async () => (await client.list(endpointSlices, { namespace: "shop" })).items.length, soon).toBe(0);
});

it("fills Secrets with tokens that the server knows, and deletes them with the account", async () => {
  start();
  await client.create(serviceAccounts, { metadata: inShop("robot") });
  const annotations = { "kubernetes.io/service-account.name": "robot" };
  const type = "kubernetes.io/service-account-token";
  await client.create(secrets, { metadata: { ...inShop("key"), annotations }, type });
  const found = async () => (await client.find(secrets, inShop("key")))?.data?.["token"];
  await expect.poll(found, soon).toBeDefined();
  const token = Buffer.from((await found()) ?? "", "base64").toString();
  const review = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", metadata: {}, spec: { token } };
  expect(await client.create(tokenReviews, review)).toMatchObject({
    status: { authenticated: true, user: { username: "system:serviceaccount:shop:robot" } },
  });
  await client.delete(serviceAccounts, inShop("robot"));
  await expect.poll(() => client.find(secrets, inShop("key")), soon).toBeUndefined();
});

it("marks nodes that take no Pods", async () => {
  start();
  await client.create(nodes, { metadata: { name: "node-1" }, spec: { unschedulable: true } });
  const keys = async () => (await client.get(nodes, { name: "node-1" })).spec?.taints?.map(({ key }) => key);
  await expect.poll(keys, soon).toEqual(["node.kubernetes.io/unschedulable"]);
});
