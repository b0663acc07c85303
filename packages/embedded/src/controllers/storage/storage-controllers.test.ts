import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, createTransport, type KubeClient, loadKubeconfig } from "@stowage/kube";
import {
  csiAttachmentName,
  events,
  namespaces,
  nodes,
  nodeVolumeAnnotations,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  serviceAccounts,
  volumeAttachments,
} from "@stowage/machinery";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../apiserver/index.ts";
import { actingControllers } from "../../fixtures/acting-controllers.ts";
import { runControllers } from "../controller-manager.ts";
import { claim, node, onClaim, pod, volume } from "./fixtures/storage-objects.ts";
import { storageParts } from "./index.ts";

let stack: AsyncDisposableStack;
let client: KubeClient;
let server: ApiServer;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  server = stack.use(await startApiServer());
  const folder = mkdtempSync(join(tmpdir(), "storage-controllers-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "kubeconfig");
  writeFileSync(path, server.kubeconfig({ user: "admin", group: "system:masters" }), { mode: 0o600 });
  const transport = createTransport(await loadKubeconfig({ path, env: {}, homeDir: "/" }));
  client = createClient({ transport: stack.adopt(transport, (opened) => opened.close()) });
});

afterEach(() => stack.disposeAsync());

/** The controllers of this room, until they are stopped or the test ends. */
function start(): () => Promise<void> {
  const stopping = new AbortController();
  const running = runControllers({ ...actingControllers(server, stack), parts: storageParts }, stopping.signal);
  const stop = () => {
    stopping.abort();
    return running;
  };
  stack.defer(stop);
  return stop;
}

const inShop = (name: string) => ({ name, namespace: "shop" });
const name = csiAttachmentName({ driver: "csi.example.org", volumeHandle: "handle-of-pv" }, "node-1");
const soon = { timeout: 20_000, interval: 20 };
const attachment = () => client.find(volumeAttachments, { name });
const attachedNames = async () =>
  (await client.get(nodes, { name: "node-1" })).status?.volumesAttached?.map((each) => each.name) ?? [];
const markAttached = () =>
  client.patch(volumeAttachments, { name }, { type: "merge", patch: { status: { attached: true } } }, status);
const status = { subresource: "status" };

/** A volume, its claim, and a Pod on a node that needs it. */
async function makePod(): Promise<void> {
  await client.create(namespaces, { metadata: { name: "shop" } });
  await client.create(serviceAccounts, { metadata: inShop("default") });
  const { metadata: _, ...rest } = node("node-1");
  const annotations = { [nodeVolumeAnnotations.managedAttach]: "true" };
  await client.create(nodes, { ...rest, metadata: { name: "node-1", annotations } });
  await client.create(persistentVolumes, { metadata: { name: "pv" }, spec: volume("pv").spec });
  await client.create(persistentVolumeClaims, { metadata: inShop("data"), spec: claim("data").spec });
  const containers = [{ name: "main", image: "example.org/main:1" }];
  const { spec } = pod("web", { spec: { nodeName: "node-1", volumes: [onClaim("data")], containers } });
  await client.create(pods, { metadata: inShop("web"), spec });
}

async function deletePod(): Promise<void> {
  await client.delete(pods, inShop("web"), { gracePeriodSeconds: 0 });
}

it("binds and attaches what was there before it came", async () => {
  await makePod();
  start();
  await expect.poll(attachment, soon).toBeDefined();
  await markAttached();
  await expect.poll(attachedNames, soon).toEqual(["kubernetes.io/csi/csi.example.org^handle-of-pv"]);
  const told = async () => (await client.list(events, { namespace: "shop" })).items.map(({ reason }) => reason);
  await expect.poll(told, soon).toContain("SuccessfulAttachVolume");
}, 60_000);

it("detaches after a restart what lost its Pod meanwhile", async () => {
  await makePod();
  const stop = start();
  await expect.poll(attachment, soon).toBeDefined();
  await markAttached();
  await expect.poll(attachedNames, soon).toHaveLength(1);
  await stop();
  await deletePod();
  start();
  await expect.poll(attachment, soon).toBeUndefined();
  await expect.poll(attachedNames, soon).toEqual([]);
}, 60_000);

it("goes on after a restart where it was stopped in the middle of attaching", async () => {
  await makePod();
  const stop = start();
  await expect.poll(attachment, soon).toBeDefined();
  const before = await attachment();
  await stop();
  await markAttached();
  start();
  await expect.poll(attachedNames, soon).toHaveLength(1);
  expect((await attachment())?.metadata.uid).toBe(before?.metadata.uid);
}, 60_000);

it("attaches anew what somebody else detached", async () => {
  await makePod();
  start();
  await expect.poll(attachment, soon).toBeDefined();
  const before = await attachment();
  await markAttached();
  await expect.poll(attachedNames, soon).toHaveLength(1);
  await client.delete(volumeAttachments, { name });
  await expect
    .poll(async () => (await attachment())?.metadata.uid ?? before?.metadata.uid, soon)
    .not.toBe(before?.metadata.uid);
  await expect.poll(attachedNames, soon).toEqual([]);
}, 60_000);
