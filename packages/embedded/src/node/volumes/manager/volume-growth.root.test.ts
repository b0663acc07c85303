import { CsiError } from "@stowage/csi";
import { type PersistentVolumeClaim, type Pod, persistentVolumeClaims, persistentVolumes } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MountingDriver } from "../fixtures/mounting-driver.ts";
import { namespace, nodeName, VolumeScene } from "../fixtures/volume-scene.ts";

const driverName = "test.stowage.dev";
const never = new AbortController().signal;
let scene: VolumeScene;
let driver: MountingDriver;
let pod: Pod;

beforeEach(async () => {
  scene = await VolumeScene.start();
  driver = await scene.addDriver(driverName);
  await scene.addVolume("one", { driver: driverName });
  pod = await scene.addPod("web", [{ name: "data", persistentVolumeClaim: { claimName: "one" } }]);
});
afterEach(async () => {
  await scene.manager.unmounted(pod, never);
  await expect.poll(() => driver.methods.at(-1)).toBe("unstage");
  expect(await scene.end()).toEqual([]);
});

const claim = (): Promise<PersistentVolumeClaim> =>
  scene.client.get(persistentVolumeClaims, { namespace, name: "one" });

/** What the resizer leaves when its part is done. */
async function grow(size: string, isTracked = true): Promise<void> {
  const volume = await scene.client.get(persistentVolumes, { name: "pv-one" });
  await scene.client.update(persistentVolumes, { ...volume, spec: { ...volume.spec, capacity: { storage: size } } });
  const current = await claim();
  const tracked = {
    allocatedResources: { storage: size },
    allocatedResourceStatuses: { storage: "NodeResizePending" as const },
  };
  const conditions = [{ type: "FileSystemResizePending", status: "True" }];
  const status = { ...current.status, conditions, ...(isTracked && tracked) };
  await scene.client.update(persistentVolumeClaims, { ...current, status }, { subresource: "status" });
}

const success = `FileSystemResizeSuccessful: MountVolume.NodeExpandVolume succeeded for volume "pv-one" ${nodeName}`;

describe("a volume that was made bigger", () => {
  it.each([true, false])("gets its size before a Pod uses it (told of each step: %s)", async (isTracked) => {
    await grow("2Gi", isTracked);
    await scene.startManager();
    await scene.manager.mounted(pod, never);
    expect(driver.methods).toEqual(["stage", "publish", "expand"]);
    expect(driver.last("expand")).toMatchObject({
      volumeId: "handle-one",
      volumePath: driver.last("publish").targetPath,
      stagingTargetPath: driver.last("stage").stagingTargetPath,
      capacityRange: { requiredBytes: 2n << 30n },
    });
    expect(scene.messages).toEqual([success, success]);
    const { status } = await claim();
    expect(status?.capacity).toEqual({ storage: "2Gi" });
    expect(status?.conditions ?? []).toEqual([]);
    expect(status?.allocatedResourceStatuses).toBeUndefined();
  });

  it("gets it under the Pod that uses it, once", async () => {
    await scene.startManager({ lookMs: 50 });
    await scene.manager.mounted(pod, never);
    await grow("2Gi");
    await expect.poll(async () => (await claim()).status?.capacity).toEqual({ storage: "2Gi" });
    await grow("3Gi");
    await expect.poll(async () => (await claim()).status?.capacity).toEqual({ storage: "3Gi" });
    expect(driver.methods).toEqual(["stage", "publish", "expand", "expand"]);
    expect(scene.messages).toEqual([success, success, success, success]);
  });

  it("says in its claim why it has not got it, and that it cannot", async () => {
    await scene.startManager({ lookMs: 50 });
    await scene.manager.mounted(pod, never);
    driver.failNext("expand", new CsiError("OUT_OF_RANGE", "too big"));
    await grow("2Gi");
    const message = "Expander.NodeExpand failed to expand the volume rpc error: code = OutOfRange desc = too big";
    await expect
      .poll(async () => (await claim()).status?.conditions?.find(({ type }) => type === "NodeResizeError"))
      .toMatchObject({ status: "True", message: `failed to expand pvc with ${message}` });
    expect((await claim()).status?.allocatedResourceStatuses).toEqual({ storage: "NodeResizeInfeasible" });
    await expect
      .poll(() => scene.messages)
      .toContain(`VolumeResizeFailed: NodeExpandVolume.NodeExpandVolume failed for volume "pv-one" : ${message}`);
    expect(driver.methods).toEqual(["stage", "publish", "expand"]);
  });

  it("is mounted all the same when its driver expands nothing that is in use", async () => {
    driver.failNext("expand", new CsiError("FAILED_PRECONDITION", "in use"));
    await grow("2Gi");
    await scene.startManager({ lookMs: 50 });
    await scene.manager.mounted(pod, never);
    expect(driver.methods).toEqual(["stage", "publish", "expand"]);
    expect((await claim()).status?.capacity).toEqual({ storage: "1Gi" });
  });
});
