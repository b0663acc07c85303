import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, createTransport, type KubeClient, loadKubeconfig } from "@stowage/kube";
import {
  events,
  findCondition,
  namespaces,
  nodes,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  serviceAccounts,
  storageClasses,
} from "@stowage/machinery";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../apiserver/index.ts";
import { actingControllers } from "../../fixtures/acting-controllers.ts";
import { runControllers } from "../controller-manager.ts";
import { claim, onClaim, storageClass, volume } from "../storage/fixtures/storage-objects.ts";
import { storageParts } from "../storage/index.ts";
import { type NodeShape, node, type PodShape, pod } from "./fixtures/scheduler-objects.ts";
import { schedulerParts } from "./index.ts";

let stack: AsyncDisposableStack;
let client: KubeClient;
let server: ApiServer;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  server = stack.use(await startApiServer());
  const folder = mkdtempSync(join(tmpdir(), "scheduler-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "kubeconfig");
  writeFileSync(path, server.kubeconfig({ user: "admin", group: "system:masters" }), { mode: 0o600 });
  const transport = createTransport(await loadKubeconfig({ path, env: {}, homeDir: "/" }));
  client = createClient({ transport: stack.adopt(transport, (opened) => opened.close()) });
  await client.create(namespaces, { metadata: { name: "shop" } });
  await client.create(serviceAccounts, { metadata: inShop("default") });
});

afterEach(() => stack.disposeAsync());

/** The scheduler and the binder, until they are stopped or the test ends. */
function start(): () => Promise<void> {
  const stopping = new AbortController();
  const manager = { ...actingControllers(server, stack), parts: [...storageParts, ...schedulerParts] };
  const running = runControllers(manager, stopping.signal);
  const stop = () => {
    stopping.abort();
    return running;
  };
  stack.defer(stop);
  return stop;
}

const inShop = (name: string) => ({ name, namespace: "shop" });
const soon = { timeout: 20_000, interval: 50 };

async function makeNode(name: string, shape: NodeShape = {}): Promise<void> {
  const { metadata, spec, status } = node(name, shape);
  await client.create(nodes, { metadata, spec, status });
  // Nobody here says that it is ready.
  await client.patch(nodes, { name }, { type: "merge", patch: { spec: { taints: null } } });
}

async function makePod(name: string, shape: PodShape = {}): Promise<void> {
  const { spec = { containers: [] }, metadata } = pod(name, shape);
  const containers = spec.containers.map((container) => ({ image: "example.org/main:1", ...container }));
  await client.create(pods, { metadata: { ...inShop(name), labels: metadata.labels }, spec: { ...spec, containers } });
}

const allPods = async () => (await client.list(pods, { namespace: "shop" })).items;
const nodeOf = ({ spec }: Pod) => spec?.nodeName ?? "";
const placed = async () => (await allPods()).filter((each) => nodeOf(each) !== "");
const refusal = ({ status }: Pod) => findCondition(status?.conditions, "PodScheduled")?.message;

it("places a burst of Pods so that each has the room that it asked for", async () => {
  for (const index of Array.from({ length: 5 }).keys()) {
    await makeNode(`node-${index}`, { cpu: "10", memory: "100Gi", resources: { pods: "100" } });
  }
  start();
  await Promise.all(Array.from({ length: 50 }, (_, index) => makePod(`pod-${index}`)));
  await expect.poll(async () => (await placed()).length, soon).toBe(50);
  const counts = Map.groupBy(await placed(), nodeOf);
  expect([...counts.values()].map(({ length }) => length)).toEqual([10, 10, 10, 10, 10]);
}, 60_000);

it("refuses what there is no room for, and places it once there is", async () => {
  await makeNode("only", { cpu: "2" });
  start();
  for (const name of ["a", "b", "c"]) await makePod(name);
  await expect.poll(async () => (await placed()).length, soon).toBe(2);
  const waiting = async () => (await allPods()).filter((each) => nodeOf(each) === "");
  await expect.poll(async () => (await waiting()).map(refusal).join(), soon).toContain("0/1 nodes are available");
  const told = async () => (await client.list(events, { namespace: "shop" })).items.map(({ reason }) => reason);
  await expect.poll(told, soon).toContain("FailedScheduling");
  const [first] = await placed();
  await client.delete(pods, inShop(first?.metadata.name ?? ""), { gracePeriodSeconds: 0 });
  await expect.poll(async () => (await waiting()).length, soon).toBe(0);
}, 60_000);

it("places after a restart what came meanwhile, and knows what is where", async () => {
  await makeNode("a", { cpu: "1" });
  await makeNode("b", { cpu: "1" });
  const stop = start();
  await makePod("first");
  await expect.poll(async () => (await placed()).length, soon).toBe(1);
  await stop();
  await makePod("second");
  start();
  await expect.poll(async () => new Set((await placed()).map(nodeOf)).size, soon).toBe(2);
}, 60_000);

it("gives one volume to one of two Pods that wait for it at once", async () => {
  await makeNode("one");
  const { metadata: _, ...fast } = storageClass("fast", {
    volumeBindingMode: "WaitForFirstConsumer",
    provisioner: "kubernetes.io/no-provisioner",
  });
  await client.create(storageClasses, { metadata: { name: "fast" }, ...fast });
  start();
  await client.create(persistentVolumes, { metadata: { name: "pv" }, spec: volume("pv").spec });
  await expect
    .poll(async () => (await client.get(persistentVolumes, { name: "pv" })).status?.phase, soon)
    .toBe("Available");
  const names = ["a", "b"];
  await Promise.all(
    names.map((name) => client.create(persistentVolumeClaims, { metadata: inShop(name), spec: claim(name).spec })),
  );
  await Promise.all(names.map((name) => makePod(name, { volumes: [onClaim(name)] })));
  await expect.poll(async () => (await placed()).length, soon).toBe(1);
  const lacking = "1 node(s) didn't find available persistent volumes to bind";
  await expect.poll(async () => (await allPods()).map(refusal).join(), soon).toContain(lacking);
  const [winner] = await placed();
  const { spec } = await client.get(persistentVolumes, { name: "pv" });
  expect(spec?.claimRef?.name).toBe(winner?.metadata.name);
}, 60_000);
