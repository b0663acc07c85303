import {
  csiNodes,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  secrets,
  volumeAttachments,
} from "@stowage/machinery";
import { createAttacher, type SidecarDeps } from "@stowage/sidecars";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AttacherBench, hasty, NODE_ID_ANNOTATION, startAttacherBench } from "./attacher-bench.ts";

const soon = { timeout: 60_000, interval: 50 };

describe("the attacher", () => {
  let world: AttacherBench;

  beforeAll(async () => {
    world = await startAttacherBench();
    await world.registerNode("node");
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it("attaches with three requests and detaches with two", async () => {
    await world.makeVolume("plain");
    await world.knows("plain", "node");
    world.requests.length = 0;
    const attachment = await world.attached(await world.attach("plain", "node"));
    expect(attachment.metadata.finalizers).toEqual([world.finalizer]);
    expect(attachment.metadata.annotations?.[NODE_ID_ANNOTATION]).toBe("id-of-node");
    expect(attachment.status?.attachmentMetadata?.device).toMatch(/^\/dev/u);
    expect(world.nodesOf("plain")).toEqual(["id-of-node"]);
    expect(world.requests).toEqual([
      "patch persistentvolumes",
      "patch volumeattachments",
      "patch volumeattachments/status",
    ]);
    const volume = await world.bench.client.get(persistentVolumes, { name: `${world.bench.namespace}-plain` });
    expect(volume.metadata.finalizers).toContain(world.finalizer);
    world.requests.length = 0;
    await world.deleteAndWait(attachment);
    expect(world.nodesOf("plain")).toEqual([]);
    expect(world.requests).toEqual(["patch persistentvolumes", "patch volumeattachments"]);
  });

  it("keeps a deleted PersistentVolume until nothing is attached to it, and attaches it no more", async () => {
    const { client } = world.bench;
    const volume = await world.makeVolume("kept");
    const name = volume.metadata.name ?? "";
    const attachment = await world.attached(await world.attach("kept", "node"));
    await client.delete(persistentVolumes, { name });
    const late = await world.createAttachment("late", {
      nodeName: `${world.bench.namespace}-other`,
      source: { persistentVolumeName: name },
    });
    await world.attachFailed(late, "is marked for deletion");
    expect((await client.get(persistentVolumes, { name })).metadata.finalizers).toContain(world.finalizer);
    await client.delete(volumeAttachments, { name: late.metadata.name ?? "" });
    await world.deleteAndWait(attachment);
    await vi.waitFor(async () => expect(await client.find(persistentVolumes, { name })).toBeUndefined(), soon);
  });

  it("says why a volume is not attached, and tries later and later", async () => {
    await world.makeVolume("failing");
    const { driver } = world.bench;
    driver.clearCalls();
    const { id } = driver.addFault({
      method: "ControllerPublishVolume",
      kind: "fail",
      code: "INTERNAL",
      message: "no cable",
    });
    const failed = await world.attachFailed(await world.attach("failing", "node"), "no cable");
    expect(failed.status).toMatchObject({
      attached: false,
      attachError: {
        message: "rpc error: code = Internal desc = no cable",
        errorCode: 13,
        time: expect.any(String) as string,
      },
    });
    await vi.waitFor(() => expect(driver.calls("ControllerPublishVolume").length).toBeGreaterThanOrEqual(5), soon);
    driver.removeFault(id);
    const attachment = await world.attached(failed);
    expect(attachment.status?.attachError).toBeUndefined();
    const starts = driver.calls("ControllerPublishVolume").map(({ startedAt }) => Date.parse(startedAt));
    const waits = starts.slice(1, 5).map((start, index) => start - (starts[index] ?? 0));
    // 50, 100, 200, 400 ms: were its own error a reason to try again, there would be no waiting.
    for (const [index, waitMs] of waits.entries()) expect(waitMs).toBeGreaterThanOrEqual(45 * 2 ** index);
    await world.deleteAndWait(attachment);
  });

  it("says why a volume is not detached, and keeps the attachment until it is", async () => {
    await world.makeVolume("stuck");
    const { driver, client } = world.bench;
    const attachment = await world.attached(await world.attach("stuck", "node"));
    const { id } = driver.addFault({
      method: "ControllerUnpublishVolume",
      kind: "fail",
      code: "INTERNAL",
      message: "busy",
    });
    await client.delete(volumeAttachments, { name: attachment.metadata.name ?? "" });
    await vi.waitFor(async () => {
      expect((await world.find(attachment))?.status).toMatchObject({
        attached: true,
        detachError: { message: "rpc error: code = Internal desc = busy" },
      });
    }, soon);
    expect(world.nodesOf("stuck")).toEqual(["id-of-node"]);
    driver.removeFault(id);
    await vi.waitFor(async () => expect(await world.find(attachment)).toBeUndefined(), soon);
    expect(world.nodesOf("stuck")).toEqual([]);
  });

  it("clears the status when somebody else's finalizer keeps the attachment", async () => {
    const { client, namespace } = world.bench;
    await world.makeVolume("shared");
    const name = `${namespace}-shared-va`;
    const attachment = await client.create(volumeAttachments, {
      metadata: { name, finalizers: ["example.com/mine"] },
      spec: {
        attacher: world.bench.driverName,
        nodeName: `${namespace}-node`,
        source: { persistentVolumeName: `${namespace}-shared` },
      },
    });
    await world.attached(attachment);
    await client.delete(volumeAttachments, { name });
    await vi.waitFor(async () => {
      const left = await world.find(attachment);
      expect(left?.metadata.finalizers).toEqual(["example.com/mine"]);
      expect(left?.status).toEqual({ attached: false });
    }, soon);
    await client.patch(volumeAttachments, { name }, { type: "merge", patch: { metadata: { finalizers: null } } });
  });

  it("attaches as soon as the driver registers on the node", async () => {
    await world.makeVolume("early");
    const failed = await world.attachFailed(await world.attach("early", "late-node"), "there is no CSINode");
    expect(failed.metadata.finalizers).toBeUndefined();
    await world.registerNode("late-node");
    await world.deleteAndWait(await world.attached(failed));
  });

  it("detaches from a node that is gone", async () => {
    const { client } = world.bench;
    await world.makeVolume("orphan");
    const node = await world.registerNode("dying");
    const attachment = await world.attached(await world.attach("orphan", "dying"));
    await client.delete(csiNodes, { name: node.metadata.name ?? "" });
    await world.deleteAndWait(attachment);
    expect(world.nodesOf("orphan")).toEqual([]);
  });

  it("attaches inline CSI volumes, and refuses what names no volume", async () => {
    const { spec } = await world.makeVolume("inline");
    const inline = await world.createAttachment("inline-va", {
      source: { inlineVolumeSpec: { accessModes: ["ReadWriteOnce"], csi: spec?.csi } },
    });
    await world.attached(inline);
    expect(world.nodesOf("inline")).toEqual(["id-of-node"]);
    await world.deleteAndWait(inline);
    const unknown = await world.createAttachment("nothing", { source: { persistentVolumeName: "never-made" } });
    await world.attachFailed(unknown, "never-made does not exist");
    await world.deleteAndWait(unknown);
  });

  it("leaves attachments of other drivers alone", async () => {
    await world.makeVolume("foreign");
    const foreign = await world.createAttachment("foreign-va", {
      attacher: "other.csi.example.com",
      source: { persistentVolumeName: `${world.bench.namespace}-foreign` },
    });
    const ours = await world.attached(await world.attach("foreign", "node"));
    expect((await world.find(foreign))?.metadata.finalizers).toBeUndefined();
    expect((await world.find(foreign))?.status?.attached).toBe(false);
    await world.deleteAndWait(ours);
  });
});

describe("together with Kubernetes' own attach-detach controller", () => {
  it("attaches the volume of a Pod to its node, and detaches it when the Pod is gone", async () => {
    await using world = await startAttacherBench();
    const { client, namespace, driverName } = world.bench;
    const name = `${namespace}-node`;
    // As kubelet does when the driver registers.
    const annotations = { "volumes.kubernetes.io/controller-managed-attach-detach": "true" };
    await client.create(nodes, { metadata: { name, annotations }, spec: {} });
    await world.registerNode("node");
    await world.makeVolume("pod-data");
    const accessModes = ["ReadWriteOnce" as const];
    const resources = { requests: { storage: "1Gi" } };
    const spec = { accessModes, resources, storageClassName: driverName, volumeName: `${namespace}-pod-data` };
    await client.create(persistentVolumeClaims, { metadata: { namespace, name: "data" }, spec });
    const pod = {
      nodeName: name,
      containers: [{ name: "main", image: "none" }],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
      automountServiceAccountToken: false,
    };
    await vi.waitFor(() => client.create(pods, { metadata: { namespace, name: "user" }, spec: pod }), soon);
    await vi.waitFor(() => expect(world.nodesOf("pod-data")).toEqual(["id-of-node"]), soon);
    await client.delete(pods, { namespace, name: "user" }, { gracePeriodSeconds: 0 });
    await vi.waitFor(() => expect(world.nodesOf("pod-data")).toEqual([]), soon);
    await vi.waitFor(async () => {
      const { items } = await client.list(volumeAttachments);
      expect(items.filter((item) => item.spec.nodeName === name)).toEqual([]);
    }, soon);
    await client.delete(nodes, { name });
  });
});

describe("a driver that wants secrets", () => {
  it("gets those that the PersistentVolume names, to attach and to detach", async () => {
    const required = { user: "u", password: "p" };
    await using world = await startAttacherBench({
      driver: { secrets: { ControllerPublishVolumeSecret: required, ControllerUnpublishVolumeSecret: required } },
    });
    const { client, namespace } = world.bench;
    await client.create(secrets, { metadata: { namespace, name: "publish" }, stringData: required });
    await world.registerNode("node");
    await world.makeVolume("secret", { controllerPublishSecretRef: { namespace, name: "publish" } });
    await world.deleteAndWait(await world.attached(await world.attach("secret", "node")));
    expect(world.bench.driver.calls("ControllerUnpublishVolume")).toMatchObject([{ code: "OK" }]);
  });
});

describe("a driver without ControllerPublishVolume", () => {
  it("has every volume attached, without a finalizer and without being asked", async () => {
    await using world = await startAttacherBench({ driver: { attaches: false } });
    await world.makeVolume("network");
    await world.knows("network");
    world.requests.length = 0;
    const attachment = await world.attached(await world.attach("network", "node"));
    expect(attachment.metadata.finalizers).toBeUndefined();
    await world.deleteAndWait(attachment);
    expect(world.requests).toEqual(["patch volumeattachments/status"]);
  });
});

describe("a driver that can tell what is attached", () => {
  it("is believed: what it lost is attached again, once", async () => {
    await using world = await startAttacherBench({ attacher: { reconcileMs: 200, maxEntries: 1 } });
    const { driver, deps, client } = world.bench;
    await world.registerNode("node");
    const volume = await world.makeVolume("lost");
    await world.makeVolume("other");
    const attachment = await world.attached(await world.attach("lost", "node"));
    driver.clearCalls();
    const volumeId = volume.spec?.csi?.volumeHandle ?? "";
    await deps.csi.controller.controllerUnpublishVolume({ volumeId, nodeId: "id-of-node" });
    await vi.waitFor(() => expect(world.nodesOf("lost")).toEqual(["id-of-node"]), soon);
    driver.clearCalls();
    // Both pages of two more rounds.
    await vi.waitFor(() => expect(driver.calls("ListVolumes").length).toBeGreaterThanOrEqual(4), soon);
    expect(driver.calls("ControllerPublishVolume")).toEqual([]);
    // And what the API server does not know of is found out when it asks about it.
    await client.patch(
      volumeAttachments,
      { name: attachment.metadata.name ?? "" },
      { type: "merge", patch: { status: { attached: false } } },
      { subresource: "status" },
    );
    await world.attached(attachment);
    await world.deleteAndWait(attachment);
  });
});

describe("an attach that is interrupted", () => {
  const stopAndStart = async ({ bench }: AttacherBench) => {
    await bench.stopSidecars();
    await bench.startSidecars((deps: SidecarDeps) => createAttacher(deps, hasty));
  };
  const published = ({ bench }: AttacherBench) =>
    vi.waitFor(() => expect(bench.driver.calls("ControllerPublishVolume").length).toBeGreaterThan(0), soon);

  it.each([
    ["the driver hangs", { kind: "hang" }, false],
    ["the driver hangs and the sidecar is restarted", { kind: "hang" }, true],
    ["the answer comes too late", { kind: "late", delayMs: 2000 }, false],
    ["the answer comes too late and the sidecar is restarted", { kind: "late", delayMs: 2000 }, true],
    ["the answer is lost", { kind: "lostReply" }, false],
    ["the answer is lost and the sidecar is restarted", { kind: "lostReply" }, true],
    ["the work begins late", { kind: "slow", delayMs: 300 }, true],
  ] as const)("because %s leaves nothing attached once its VolumeAttachment is deleted", async (_, fault, restarts) => {
    await using world = await startAttacherBench();
    await world.registerNode("node");
    await world.makeVolume("torn");
    world.bench.driver.addFault({ method: "ControllerPublishVolume", ...fault });
    const attachment = await world.attach("torn", "node");
    await published(world);
    expect((await world.find(attachment))?.metadata).toMatchObject({
      finalizers: [world.finalizer],
      annotations: { [NODE_ID_ANNOTATION]: "id-of-node" },
    });
    if (restarts) await stopAndStart(world);
    await world.deleteAndWait(attachment);
    expect(world.nodesOf("torn")).toEqual([]);
    expect(world.bench.driver.calls("ControllerUnpublishVolume").at(-1)).toMatchObject({ code: "OK" });
  });

  it("because the sidecar stops right after the intent was written leaves nothing behind", async () => {
    await using world = await startAttacherBench();
    await world.registerNode("node");
    await world.makeVolume("intended");
    await world.bench.stopSidecars();
    const attachment = await world.attach("intended", "node");
    const metadata = { finalizers: [world.finalizer], annotations: { [NODE_ID_ANNOTATION]: "id-of-node" } };
    const name = attachment.metadata.name ?? "";
    await world.bench.client.patch(volumeAttachments, { name }, { type: "merge", patch: { metadata } });
    await world.bench.client.delete(volumeAttachments, { name });
    await world.bench.startSidecars((deps: SidecarDeps) => createAttacher(deps, hasty));
    await vi.waitFor(async () => expect(await world.find(attachment)).toBeUndefined(), soon);
    expect(world.bench.driver.calls("ControllerPublishVolume")).toEqual([]);
    expect(world.bench.driver.calls("ControllerUnpublishVolume")).toMatchObject([{ code: "OK" }]);
  });
});
