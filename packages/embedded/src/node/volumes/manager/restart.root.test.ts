import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CsiError } from "@stowage/csi";
import { type Pod, pods } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MountingDriver, unmountBelow } from "../fixtures/mounting-driver.ts";
import { VolumeScene } from "../fixtures/volume-scene.ts";

const driverName = "test.stowage.dev";
const never = new AbortController().signal;
let scene: VolumeScene;
let driver: MountingDriver;

beforeEach(async () => {
  scene = await VolumeScene.start();
  driver = await scene.addDriver(driverName);
});
afterEach(async () => {
  expect(await scene.end()).toEqual([]);
});

async function mountedPod(name: string, claimName = name): Promise<Pod> {
  const pod = await scene.addPod(name, [{ name: "data", persistentVolumeClaim: { claimName } }]);
  await scene.manager.mounted(pod, never);
  return pod;
}

async function restart(): Promise<void> {
  await scene.stopManager();
  driver.calls.length = 0;
  await scene.startManager();
}

describe("an agent that comes back", () => {
  it("leaves what is right as it is, without a word to the driver", async () => {
    await scene.addVolume("one", { driver: driverName });
    await scene.startManager();
    const pod = await mountedPod("one");
    const before = readFileSync("/proc/self/mountinfo", "utf8");
    await restart();
    const [volume] = (await scene.manager.mounted(pod, never)).values();
    expect(volume).toMatchObject({ kind: "folder", isReadOnly: false });
    expect(driver.methods).toEqual([]);
    expect(readFileSync("/proc/self/mountinfo", "utf8")).toBe(before);
    await scene.manager.unmounted(pod, never);
    await expect.poll(() => driver.methods).toEqual(["unpublish", "unstage"]);
  });

  it("has what is not mounted any more mounted again", async () => {
    await scene.addVolume("one", { driver: driverName });
    await scene.startManager();
    const pod = await mountedPod("one");
    await scene.stopManager();
    expect(await unmountBelow(scene.folder)).toHaveLength(2);
    driver.calls.length = 0;
    await scene.startManager();
    await scene.manager.mounted(pod, never);
    expect(driver.methods).toEqual(["stage", "publish"]);
    await scene.manager.unmounted(pod, never);
    await expect.poll(() => driver.methods.at(-1)).toBe("unstage");
  });

  it("takes away what nobody wants any more, and nothing else", async () => {
    await scene.addVolume("kept", { driver: driverName });
    await scene.addVolume("left", { driver: driverName });
    await scene.startManager();
    const [kept, left] = [await mountedPod("kept"), await mountedPod("left")];
    await scene.stopManager();
    await scene.deletePod(left);
    driver.calls.length = 0;
    await scene.startManager();
    await scene.manager.mounted(kept, never);
    // All that whoever finds its folder knows of it.
    await scene.manager.unmounted({ apiVersion: "v1", kind: "Pod", metadata: { uid: left.metadata.uid } }, never);
    await expect.poll(() => driver.methods).toEqual(["unpublish", "unstage"]);
    expect(driver.last("unstage")).toMatchObject({ volumeId: "handle-left" });
    expect(readdirSync(join(scene.folder, "pods", left.metadata.uid ?? "", "volumes", "kubernetes.io~csi"))).toEqual(
      [],
    );
    await scene.manager.unmounted(kept, never);
    await expect.poll(() => driver.methods.length).toBe(4);
  });

  it("finishes what it was doing when it stopped", async () => {
    await scene.addVolume("one", { driver: driverName });
    await scene.startManager({ firstRetryMs: 60_000 });
    const pod = await mountedPod("one");
    driver.failNext("unstage", new CsiError("INTERNAL", "busy"));
    await scene.manager.unmounted(pod, never);
    await scene.client.delete(pods, { namespace: "shop", name: "one" }, { gracePeriodSeconds: 0 });
    await expect.poll(() => driver.methods.at(-1)).toBe("unstage");
    await restart();
    await expect.poll(() => driver.methods).toEqual(["unstage"]);
    await expect.poll(() => readdirSync(join(scene.folder, "plugins/kubernetes.io/csi", driverName))).toEqual([]);
  });
});
