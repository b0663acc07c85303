import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CsiError, VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import {
  csiAttachmentName,
  csiDrivers,
  nodes,
  persistentVolumeClaims,
  secrets,
  volumeAttachments,
} from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { namespace, nodeName, VolumeScene } from "../fixtures/volume-scene.ts";

const driverName = "test.stowage.dev";
const never = new AbortController().signal;
let scene: VolumeScene;

beforeEach(async () => {
  scene = await VolumeScene.start();
});
afterEach(async () => {
  expect(await scene.end()).toEqual([]);
});

const onClaim = (claimName: string, readOnly = false) => ({
  name: "data",
  persistentVolumeClaim: { claimName, readOnly },
});
const pathOf = (uid: string | undefined, name: string) =>
  join(scene.folder, "pods", uid ?? "", "volumes", "kubernetes.io~csi", name, "mount");
const data = (path: string): unknown => JSON.parse(readFileSync(join(dirname(path), "vol_data.json"), "utf8"));

describe("a volume behind a claim", () => {
  it("is staged and published, and leaves nothing when its Pod goes", async () => {
    const driver = await scene.addDriver(driverName);
    await scene.client.create(secrets, { metadata: { name: "stage", namespace }, stringData: { key: "s" } });
    await scene.client.create(secrets, { metadata: { name: "publish", namespace }, stringData: { key: "p" } });
    await scene.addVolume(
      "one",
      {
        driver: driverName,
        fsType: "tmpfs",
        volumeAttributes: { color: "red" },
        nodeStageSecretRef: { name: "stage", namespace },
        nodePublishSecretRef: { name: "publish", namespace },
      },
      { mountOptions: ["noatime"] },
    );
    const pod = await scene.addPod("web", [onClaim("one")]);
    await scene.startManager();
    const path = pathOf(pod.metadata.uid, "pv-one");
    expect(await scene.manager.mounted(pod, never)).toEqual(
      new Map([["data", { kind: "folder", path, isReadOnly: false }]]),
    );
    writeFileSync(join(path, "file"), "kept");
    expect(driver.methods).toEqual(["stage", "publish"]);
    const mount = { fsType: "tmpfs", mountFlags: ["noatime"], volumeMountGroup: "" };
    const capability = { accessMode: { mode: Mode.SINGLE_NODE_WRITER }, accessType: { case: "mount", value: mount } };
    const staging = String(driver.last("stage").stagingTargetPath);
    expect(driver.last("stage")).toMatchObject({
      volumeId: "handle-one",
      secrets: { key: "s" },
      volumeContext: { color: "red" },
      volumeCapability: capability,
    });
    expect(driver.last("publish")).toMatchObject({
      volumeId: "handle-one",
      targetPath: path,
      stagingTargetPath: staging,
      readonly: false,
      secrets: { key: "p" },
      volumeContext: { color: "red" },
      volumeCapability: capability,
    });
    expect(data(staging)).toEqual({ driverName, volumeHandle: "handle-one" });
    const attachment = csiAttachmentName({ driver: driverName, volumeHandle: "handle-one" }, nodeName);
    expect(readFileSync(join(dirname(path), "vol_data.json"), "utf8")).toBe(
      `{"attachmentID":"${attachment}","driverName":"${driverName}","nodeName":"${nodeName}","specVolID":"pv-one","volumeHandle":"handle-one","volumeLifecycleMode":"Persistent"}\n`,
    );
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o750);
    await scene.manager.unmounted(pod, never);
    expect(existsSync(dirname(path))).toBe(false);
    await expect.poll(() => driver.methods).toEqual(["stage", "publish", "unpublish", "unstage"]);
    await expect.poll(() => existsSync(dirname(staging))).toBe(false);
  });

  it("is staged once for all Pods of the node, and stays until the last of them goes", async () => {
    const driver = await scene.addDriver(driverName);
    await scene.addVolume("one", { driver: driverName });
    const [first, second] = [
      await scene.addPod("a", [onClaim("one")]),
      await scene.addPod("b", [onClaim("one", true)]),
    ];
    await scene.startManager();
    await Promise.all([first, second].map((pod) => scene.manager.mounted(pod, never)));
    expect(driver.methods).toEqual(["stage", "publish", "publish"]);
    expect(driver.calls.filter(({ method }) => method === "publish").map(({ request }) => request.readonly)).toEqual([
      false,
      true,
    ]);
    await scene.manager.unmounted(first, never);
    await scene.manager.unmounted(second, never);
    await expect.poll(() => driver.methods.slice(3)).toEqual(["unpublish", "unpublish", "unstage"]);
  });

  it("waits for its claim, and says so", async () => {
    await scene.addDriver(driverName);
    const claim = await scene.addVolume("late", { driver: driverName });
    const status = { phase: "Pending" as const };
    await scene.client.update(persistentVolumeClaims, { ...claim, status }, { subresource: "status" });
    const pod = await scene.addPod("web", [onClaim("late"), { name: "unused", csi: { driver: "none" } }], {
      containers: [{ name: "main", image: "any", volumeMounts: [{ name: "data", mountPath: "/d" }] }],
    });
    await scene.startManager();
    const mounted = scene.manager.mounted(pod, never);
    const lists = "unmounted volumes=[data], unattached volumes=[], failed to process volumes=[data]";
    await expect
      .poll(() => scene.messages)
      .toContain(
        `FailedMount: Unable to attach or mount volumes: ${lists}: error processing PVC ${namespace}/late: PVC is not bound`,
      );
    await scene.bind(await scene.client.get(persistentVolumeClaims, { namespace, name: "late" }));
    expect([...(await mounted).keys()]).toEqual(["data"]);
    await scene.manager.unmounted(pod, never);
    await expect.poll(() => scene.drivers.get(driverName)?.methods.at(-1)).toBe("unstage");
  });

  it("waits for its driver, and says so", async () => {
    await scene.addVolume("one", { driver: driverName });
    await scene.client.create(csiDrivers, { metadata: { name: driverName }, spec: { attachRequired: false } });
    const pod = await scene.addPod("web", [onClaim("one")]);
    await scene.startManager({ tellWaitingMs: 200 });
    const mounted = scene.manager.mounted(pod, never);
    const why = `driver name ${driverName} not found in the list of registered CSI drivers`;
    await expect
      .poll(() => scene.messages)
      .toContain(
        `FailedMount: MountVolume.MountDevice failed for volume "pv-one" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: ${why}`,
      );
    await expect
      .poll(() => scene.messages)
      .toContain(
        "FailedMount: Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[]: context deadline exceeded",
      );
    await scene.register(driverName);
    await mounted;
    await scene.manager.unmounted(pod, never);
    await expect.poll(() => scene.drivers.get(driverName)?.methods.at(-1)).toBe("unstage");
  });
});

describe("a volume that is made for its Pod", () => {
  const spec = { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } };

  it("is mounted when its claim is the Pod's, and not when it only has the name", async () => {
    const driver = await scene.addDriver(driverName);
    const pod = await scene.addPod("web", [{ name: "own", ephemeral: { volumeClaimTemplate: { spec } } }]);
    const claim = await scene.addVolume("web-own", { driver: driverName });
    await scene.startManager();
    const mounted = scene.manager.mounted(pod, never);
    await expect
      .poll(() => scene.messages)
      .toContain(
        `FailedMount: Unable to attach or mount volumes: unmounted volumes=[own], unattached volumes=[], failed to process volumes=[own]: PVC ${namespace}/web-own was not created for pod ${namespace}/web (pod is not owner)`,
      );
    const owner = { apiVersion: "v1", kind: "Pod", name: "web", uid: pod.metadata.uid ?? "", controller: true };
    const metadata = { ...claim.metadata, ownerReferences: [owner] };
    await scene.client.update(persistentVolumeClaims, { ...claim, metadata });
    await mounted;
    expect(driver.methods).toEqual(["stage", "publish"]);
    await scene.manager.unmounted(pod, never);
    await expect.poll(() => driver.methods.at(-1)).toBe("unstage");
  });
});

describe("two PersistentVolumes that are one volume", () => {
  it("are staged once, and each Pod has it by its own", async () => {
    const driver = await scene.addDriver(driverName);
    for (const name of ["one", "two"]) await scene.addVolume(name, { driver: driverName, volumeHandle: "shared" });
    const all = [await scene.addPod("a", [onClaim("one")]), await scene.addPod("b", [onClaim("two")])];
    await scene.startManager();
    for (const pod of all) await scene.manager.mounted(pod, never);
    const targets = [pathOf(all[0]?.metadata.uid, "pv-one"), pathOf(all[1]?.metadata.uid, "pv-two")];
    expect(driver.methods).toEqual(["stage", "publish", "publish"]);
    for (const pod of all) await scene.manager.unmounted(pod, never);
    await expect.poll(() => driver.methods.slice(3)).toEqual(["unpublish", "unpublish", "unstage"]);
    const unpublished = driver.calls.filter(({ method }) => method === "unpublish");
    expect(unpublished.map(({ request }) => request.targetPath)).toEqual(targets);
  });
});

describe("a driver that fails", () => {
  it("is asked again, and told of in its own words", async () => {
    const driver = await scene.addDriver(driverName);
    await scene.addVolume("one", { driver: driverName });
    const pod = await scene.addPod("web", [onClaim("one")]);
    driver.failNext("stage", new CsiError("INTERNAL", "disk on fire"));
    driver.failNext("publish", new CsiError("INVALID_ARGUMENT", "what?"));
    await scene.startManager();
    await scene.manager.mounted(pod, never);
    expect(driver.methods).toEqual(["stage", "stage", "publish", "publish"]);
    expect(scene.messages).toEqual([
      'FailedMount: MountVolume.MountDevice failed for volume "pv-one" : rpc error: code = Internal desc = disk on fire',
      'FailedMount: MountVolume.SetUp failed for volume "pv-one" : rpc error: code = InvalidArgument desc = what?',
    ]);
    driver.failNext("unpublish", new CsiError("INTERNAL", "busy"));
    await scene.manager.unmounted(pod, never);
    await expect.poll(() => driver.methods.slice(4)).toEqual(["unpublish", "unpublish", "unstage"]);
  });

  it("is asked to undo what it may have done", async () => {
    const driver = await scene.addDriver(driverName);
    await scene.addVolume("one", { driver: driverName });
    const pod = await scene.addPod("web", [onClaim("one")]);
    driver.failNext("publish", new CsiError("UNAVAILABLE", "lost"), true);
    await scene.startManager({ firstRetryMs: 60_000 });
    await scene.waiting(pod, () => expect.poll(() => scene.messages.length).toBe(1));
    await scene.manager.unmounted(pod, never);
    await expect.poll(() => driver.methods).toEqual(["stage", "publish", "unpublish", "unstage"]);
  });

  it("is not asked to undo what it has certainly not done", async () => {
    const driver = await scene.addDriver(driverName);
    await scene.addVolume("one", { driver: driverName });
    const pod = await scene.addPod("web", [onClaim("one")]);
    driver.failNext("stage", new CsiError("NOT_FOUND", "no such volume"));
    await scene.startManager({ firstRetryMs: 60_000 });
    await scene.waiting(pod, () => expect.poll(() => scene.messages.length).toBe(1));
    await scene.manager.unmounted(pod, never);
    await scene.stopManager();
    expect(driver.methods).toEqual(["stage"]);
  });
});

describe("a volume that has to be attached", () => {
  it("is in use before it is mounted, and waits until it is attached", async () => {
    const driver = await scene.addDriver(driverName, { attachRequired: true });
    await scene.addVolume("one", { driver: driverName });
    const pod = await scene.addPod("web", [onClaim("one")]);
    await scene.startManager();
    const mounted = scene.manager.mounted(pod, never);
    const name = `kubernetes.io/csi/${driverName}^handle-one`;
    const node = () => scene.client.get(nodes, { name: nodeName });
    await expect.poll(async () => (await node()).status?.volumesInUse).toEqual([name]);
    expect(driver.methods).toEqual([]);
    const attachment = await scene.client.create(volumeAttachments, {
      metadata: { name: csiAttachmentName({ driver: driverName, volumeHandle: "handle-one" }, nodeName) },
      spec: { attacher: driverName, nodeName, source: { persistentVolumeName: "pv-one" } },
    });
    await scene.client.update(
      volumeAttachments,
      { ...attachment, status: { attached: true, attachmentMetadata: { lun: "7" } } },
      { subresource: "status" },
    );
    const patch = { status: { volumesAttached: [{ name, devicePath: "" }] } };
    await scene.client.patch(nodes, { name: nodeName }, { type: "merge", patch }, { subresource: "status" });
    await mounted;
    expect(driver.last("stage").publishContext).toEqual({ lun: "7" });
    expect(driver.last("publish").publishContext).toEqual({ lun: "7" });
    await scene.manager.unmounted(pod, never);
    await expect.poll(async () => (await node()).status?.volumesInUse ?? []).toEqual([]);
    expect(driver.methods).toEqual(["stage", "publish", "unpublish", "unstage"]);
  });
});

describe("a volume that the Pod must not have here", () => {
  it("is not mounted on a node where it is not", async () => {
    const driver = await scene.addDriver(driverName);
    const terms = [{ matchExpressions: [{ key: "zone", operator: "In" as const, values: ["b"] }] }];
    const nodeAffinity = { required: { nodeSelectorTerms: terms } };
    await scene.addVolume("far", { driver: driverName }, { nodeAffinity });
    await refused(
      "far",
      'FailedMount: MountVolume.NodeAffinity check failed for volume "pv-far" : no matching NodeSelectorTerms',
    );
    expect(driver.methods).toEqual([]);
  });

  it("is not mounted for two Pods when it is for one alone", async () => {
    const driver = await scene.addDriver(driverName);
    await scene.addVolume("own", { driver: driverName }, { accessModes: ["ReadWriteOncePod"] });
    const first = await scene.addPod("first", [onClaim("own")]);
    await scene.startManager();
    await scene.manager.mounted(first, never);
    await refused(
      "own",
      'FailedMount: MountVolume.SetUp failed for volume "pv-own" : volume uses the ReadWriteOncePod access mode and is already in use by another pod',
    );
    await scene.manager.unmounted(first, never);
    await expect.poll(() => driver.methods).toEqual(["stage", "publish", "unpublish", "unstage"]);
  });

  it("is not mounted as a file system when it is a device", async () => {
    await scene.addDriver(driverName);
    await scene.addVolume("raw", { driver: driverName }, { volumeMode: "Block" });
    await refused(
      "raw",
      "FailedMount: Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[data]: volume data has volumeMode Block, but is specified in volumeMounts",
    );
  });

  async function refused(claimName: string, message: string): Promise<void> {
    const pod = await scene.addPod("web", [onClaim(claimName)]);
    if (scene.manager === undefined) await scene.startManager();
    await scene.waiting(pod, () => expect.poll(() => scene.messages).toContain(message));
    await scene.manager.unmounted(pod, never);
  }
});
