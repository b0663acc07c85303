import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { type CSIDriver, type Pod, type PodSpec } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MountingDriver } from "../fixtures/mounting-driver.ts";
import { namespace, VolumeScene } from "../fixtures/volume-scene.ts";

const driverName = "test.stowage.dev";
const never = new AbortController().signal;
let scene: VolumeScene;

beforeEach(async () => {
  scene = await VolumeScene.start();
});
afterEach(async () => {
  expect(await scene.end()).toEqual([]);
});

const onClaim = (claimName: string) => ({ name: "data", persistentVolumeClaim: { claimName } });
const inline = { name: "scratch", csi: { driver: driverName, volumeAttributes: { size: "1Mi" }, readOnly: true } };

async function mountedInline(spec: CSIDriver["spec"], podSpec: Partial<PodSpec> = {}): Promise<[MountingDriver, Pod]> {
  const driver = await scene.addDriver(driverName, { volumeLifecycleModes: ["Ephemeral"], ...spec });
  const pod = await scene.addPod("web", [inline], podSpec);
  await scene.startManager({ lookMs: 100 });
  await scene.manager.mounted(pod, never);
  return [driver, pod];
}

describe("an inline volume", () => {
  it("is published without being staged, and told of its Pod when its driver asks for it", async () => {
    const [driver, pod] = await mountedInline({ podInfoOnMount: true });
    expect(driver.methods).toEqual(["publish"]);
    expect(driver.last("publish")).toMatchObject({
      volumeId: expect.stringMatching(/^csi-[0-9a-f]{64}$/u) as unknown,
      stagingTargetPath: "",
      readonly: true,
      volumeContext: {
        size: "1Mi",
        "csi.storage.k8s.io/pod.name": "web",
        "csi.storage.k8s.io/pod.namespace": namespace,
        "csi.storage.k8s.io/pod.uid": pod.metadata.uid,
        "csi.storage.k8s.io/serviceAccount.name": "default",
        "csi.storage.k8s.io/ephemeral": "true",
      },
    });
    await scene.manager.unmounted(pod, never);
    expect(driver.methods).toEqual(["publish", "unpublish"]);
    expect(
      existsSync(join(scene.folder, "pods", pod.metadata.uid ?? "", "volumes", "kubernetes.io~csi", "scratch")),
    ).toBe(false);
  });

  it("comes with tokens for whom its driver asks them for, and again and again if it wants that", async () => {
    const [driver, pod] = await mountedInline({
      requiresRepublish: true,
      tokenRequests: [{ audience: "vault", expirationSeconds: 600 }, { audience: "" }],
    });
    const tokens = () => {
      const context = driver.last("publish").volumeContext as Record<string, string>;
      return JSON.parse(context["csi.storage.k8s.io/serviceAccount.tokens"] ?? "{}") as Record<string, object>;
    };
    expect(Object.keys(tokens())).toEqual(["", "vault"]);
    expect(tokens().vault).toEqual({
      token: expect.stringMatching(/^ey/u) as unknown,
      expirationTimestamp: expect.stringMatching(/Z$/u) as unknown,
    });
    const first = tokens();
    await expect.poll(() => driver.methods.filter((method) => method === "publish").length).toBeGreaterThan(2);
    expect(tokens()).toEqual(first);
    await scene.manager.unmounted(pod, never);
    expect(driver.methods.at(-1)).toBe("unpublish");
  });

  it("is refused when its driver has none", async () => {
    await scene.addDriver(driverName);
    const pod = await scene.addPod("web", [inline]);
    await scene.startManager();
    const why = `volume mode "Ephemeral" not supported by driver ${driverName} (only supports ["Persistent"])`;
    const message = `FailedMount: MountVolume.SetUp failed for volume "scratch" : kubernetes.io/csi: mounter.SetupAt failed to check volume lifecycle mode: ${why}`;
    await scene.waiting(pod, () => expect.poll(() => scene.messages).toContain(message));
  });
});

describe("the group of a Pod", () => {
  const spec = { securityContext: { fsGroup: 4711 } };

  it("gets the files of a volume that one node has", async () => {
    await scene.addDriver(driverName);
    await scene.addVolume("one", { driver: driverName, fsType: "tmpfs" });
    const pod = await scene.addPod("web", [onClaim("one")], spec);
    await scene.startManager();
    const [volume] = (await scene.manager.mounted(pod, never)).values();
    expect(statSync(volume?.path ?? "").gid).toBe(4711);
    await scene.manager.unmounted(pod, never);
    await expect.poll(() => scene.drivers.get(driverName)?.methods.at(-1)).toBe("unstage");
  });

  it("is told to a driver that sees to it itself", async () => {
    const driver = await scene.addDriver(driverName, {}, { supportsVolumeMountGroup: true });
    await scene.addVolume("one", { driver: driverName, fsType: "tmpfs" });
    const pod = await scene.addPod("web", [onClaim("one")], spec);
    await scene.startManager();
    const [volume] = (await scene.manager.mounted(pod, never)).values();
    for (const method of ["stage", "publish"]) {
      expect(driver.last(method)).toMatchObject({
        volumeCapability: { accessType: { value: { volumeMountGroup: "4711" } } },
      });
    }
    expect(statSync(volume?.path ?? "").gid).not.toBe(4711);
    await scene.manager.unmounted(pod, never);
    await expect.poll(() => driver.methods.at(-1)).toBe("unstage");
  });
});

describe("a block device", () => {
  it("is where kubelet has it, is kept from being replaced, and leaves nothing", async () => {
    const driver = await scene.addDriver(driverName);
    await scene.addVolume("raw", { driver: driverName }, { volumeMode: "Block" });
    const pod = await scene.addPod("web", [onClaim("raw")], {}, true);
    const uid = pod.metadata.uid ?? "";
    await scene.startManager();
    const devices = join(scene.folder, "plugins/kubernetes.io/csi/volumeDevices");
    const published = join(devices, "publish/pv-raw", uid);
    expect(await scene.manager.mounted(pod, never)).toEqual(new Map([["data", { kind: "device", path: published }]]));
    expect(driver.last("stage")).toMatchObject({
      stagingTargetPath: join(devices, "staging/pv-raw"),
      volumeCapability: { accessType: { case: "block" } },
    });
    expect(driver.last("publish")).toMatchObject({
      stagingTargetPath: join(devices, "staging/pv-raw"),
      targetPath: published,
    });
    const link = join(scene.folder, "pods", uid, "volumeDevices/kubernetes.io~csi/pv-raw");
    expect(readlinkSync(link)).toBe(published);
    expect(lstatSync(join(devices, "pv-raw/dev", uid)).size).toBe(1 << 20);
    const data = JSON.parse(readFileSync(join(devices, "pv-raw/data/vol_data.json"), "utf8")) as object;
    expect(Object.keys(data)).toEqual(["attachmentID", "driverName", "nodeName", "specVolID", "volumeHandle"]);
    const pins = () =>
      readdirSync("/sys/block").filter((name) => {
        const path = join("/sys/block", name, "loop/backing_file");
        return existsSync(path) && readFileSync(path, "utf8").startsWith(join(devices, "pv-raw/dev"));
      });
    expect(pins()).toHaveLength(1);
    expect(scene.messages).toEqual([
      `SuccessfulMountVolume: MapVolume.MapPodDevice succeeded for volume "pv-raw" globalMapPath "${devices}/pv-raw/dev"`,
      `SuccessfulMountVolume: MapVolume.MapPodDevice succeeded for volume "pv-raw" volumeMapPath "${join(link, "..")}"`,
    ]);
    await scene.stopManager();
    await scene.startManager();
    await scene.manager.mounted(pod, never);
    expect(driver.methods).toEqual(["stage", "publish"]);
    await scene.manager.unmounted(pod, never);
    await expect.poll(() => driver.methods).toEqual(["stage", "publish", "unpublish", "unstage"]);
    await expect.poll(() => existsSync(join(devices, "pv-raw"))).toBe(false);
    expect(pins()).toEqual([]);
    expect([existsSync(link), existsSync(published), existsSync(join(devices, "staging/pv-raw"))]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe("a volume of the machine behind a claim", () => {
  it("needs no driver", async () => {
    await scene.addVolume("own", undefined, { hostPath: { path: scene.folder } });
    const pod = await scene.addPod("web", [onClaim("own")]);
    await scene.startManager();
    expect(await scene.manager.mounted(pod, never)).toEqual(
      new Map([["data", { kind: "folder", path: scene.folder, isReadOnly: false }]]),
    );
    await scene.manager.unmounted(pod, never);
  });
});
