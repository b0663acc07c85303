import { secrets, volumeAttributesClasses } from "@stowage/machinery";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type ResizerBench, soon, startResizerBench } from "./resizer-bench.ts";

describe("the resizer, for VolumeAttributesClasses,", () => {
  let world: ResizerBench;

  beforeAll(async () => {
    world = await startResizerBench();
  });
  afterEach(() => {
    world.bench.driver.clearFaults();
    world.bench.driver.clearCalls();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const parametersOf = (name: string) =>
    world.bench.driver.state().volumes.find((volume) => volume.name === `${world.bench.namespace}-${name}`)
      ?.mutableParameters;
  const asked = () =>
    world.bench.driver
      .calls("ControllerModifyVolume")
      .map(({ request }) => (request as unknown as { mutable_parameters: Record<string, string> }).mutable_parameters);

  it("gives the volume the parameters of the class that the claim names", async () => {
    const gold = await world.makeClass("gold", { iops: "9000" });
    await world.makeClaim("changed");
    world.requests.length = 0;
    await world.wishClass("changed", gold);
    const claim = await world.claimHas("changed", { status: { currentVolumeAttributesClassName: gold } });
    expect(claim.status?.modifyVolumeStatus).toBeUndefined();
    expect(claim.status?.conditions).toBeUndefined();
    expect((await world.volume("changed")).spec?.volumeAttributesClassName).toBe(gold);
    expect(parametersOf("changed")).toEqual({ iops: "9000" });
    expect(world.requests).toEqual([
      "patch persistentvolumeclaims/status",
      "patch persistentvolumes",
      "patch persistentvolumeclaims/status",
    ]);
    await vi.waitFor(async () => {
      expect(await world.events("changed")).toEqual([
        `Normal VolumeModify external resizer is modifying volume changed with vac ${gold}`,
        `Normal VolumeModifySuccessful external resizer modified volume changed with vac ${gold} successfully`,
      ]);
    }, soon);
  });

  it("waits for a class that does not exist, and goes on as soon as it does", async () => {
    await world.makeClaim("waiting");
    const late = `${world.bench.namespace}-late`;
    await world.wishClass("waiting", late);
    const pending = await world.claimHas("waiting", { status: { modifyVolumeStatus: { status: "Pending" } } });
    expect(pending.status?.conditions).toBeUndefined();
    await vi.waitFor(async () => {
      expect(await world.events("waiting")).toEqual([
        `Warning VolumeModifyFailed VAC "${late}" does not exist. Create it, or name another in volumeAttributesClassName.`,
      ]);
    }, soon);
    await world.makeClass("late", { type: "fast" });
    await world.claimHas("waiting", { status: { currentVolumeAttributesClassName: late } });
  });

  it("calls a class that the driver refuses infeasible, tries it seldom, and takes another at once", async () => {
    const odd = await world.makeClass("odd", { colour: "blue" });
    const silver = await world.makeClass("silver", { iops: "100" });
    await world.makeClaim("refused");
    await world.wishClass("refused", odd);
    const infeasible = await world.claimHas("refused", { status: { modifyVolumeStatus: { status: "Infeasible" } } });
    expect(infeasible.status?.conditions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: "ModifyVolumeError", status: "True", reason: "InvalidArgument" }),
        expect.objectContaining({
          type: "ModifyingVolume",
          message: `Modifying volume to "${odd}" failed. Waiting for retry.`,
        }),
      ]),
    );
    await vi.waitFor(() => expect(asked()).toHaveLength(2), soon);
    const [first, second] = world.bench.driver
      .calls("ControllerModifyVolume")
      .map((call) => Date.parse(call.startedAt));
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(390);
    await world.wishClass("refused", silver);
    await world.claimHas("refused", { status: { currentVolumeAttributesClassName: silver } });
  });

  it("forgets a class that was impossible when the claim does not want it any more", async () => {
    const never = await world.makeClass("never", { colour: "red" });
    await world.makeClaim("cancelled");
    await world.wishClass("cancelled", never);
    await world.claimHas("cancelled", { status: { modifyVolumeStatus: { status: "Infeasible" } } });
    await world.wishClass("cancelled", null);
    await vi.waitFor(async () => {
      const { status } = await world.claim("cancelled");
      expect(status?.conditions?.map(({ type }) => type)).toEqual(["ModifyVolumeError"]);
      expect((await world.events("cancelled")).at(-1)).toBe("Normal VolumeModifyCanceled Cancelled modify.");
    }, soon);
  });

  it("tries again after a failure, and takes another class once it is certain", async () => {
    const a = await world.makeClass("a", { iops: "1" });
    const b = await world.makeClass("b", { iops: "2" });
    await world.makeClaim("failing");
    world.bench.driver.addFault({ method: "ControllerModifyVolume", kind: "fail", code: "INTERNAL", message: "no" });
    await world.wishClass("failing", a);
    const error = expect.objectContaining({ type: "ModifyVolumeError", reason: "Internal", message: "no" }) as object;
    const failed = await world.claimHas("failing", {
      status: { conditions: expect.arrayContaining([error]) as object },
    });
    expect(failed.status?.modifyVolumeStatus).toEqual({ status: "InProgress", targetVolumeAttributesClassName: a });
    await world.wishClass("failing", b);
    await vi.waitFor(() => expect(asked().at(-1)).toEqual({ iops: "2" }), soon);
    world.bench.driver.clearFaults();
    await world.claimHas("failing", { status: { currentVolumeAttributesClassName: b } });
  });

  it.each([
    ["finishes", false],
    ["finishes after a restart", true],
  ])("%s what may be under way before it takes another class", async (_, restarts) => {
    const first = await world.makeClass(`first-${restarts}`, { iops: "10" });
    const second = await world.makeClass(`second-${restarts}`, { iops: "20" });
    const name = `uncertain-${restarts}`;
    await world.makeClaim(name);
    world.bench.driver.addFault({ method: "ControllerModifyVolume", kind: "hang" });
    await world.wishClass(name, first);
    await vi.waitFor(() => expect(asked()).toContainEqual({ iops: "10" }), soon);
    await world.wishClass(name, second);
    if (restarts) await world.restart();
    const before = asked().length;
    await vi.waitFor(() => expect(asked().length).toBeGreaterThan(before), soon);
    expect(asked()).not.toContainEqual({ iops: "20" });
    world.bench.driver.clearFaults();
    await world.claimHas(name, { status: { currentVolumeAttributesClassName: second } });
    const sequence = asked().map(({ iops }) => iops);
    expect(sequence.at(-1)).toBe("20");
    expect(sequence.indexOf("20")).toBe(sequence.length - 1);
    expect((await world.claim(name)).status?.modifyVolumeStatus).toBeUndefined();
  });

  it("says so when a class that may be under way has gone", async () => {
    const gone = await world.makeClass("gone", { iops: "5" });
    await world.makeClaim("stranded");
    world.bench.driver.addFault({ method: "ControllerModifyVolume", kind: "hang" });
    await world.wishClass("stranded", gone);
    await vi.waitFor(() => expect(asked()).toContainEqual({ iops: "5" }), soon);
    await world.bench.client.delete(volumeAttributesClasses, { name: gone });
    // Kubernetes keeps a class that is in use; somebody took even that away.
    const unprotected = { type: "merge", patch: { metadata: { finalizers: null } } } as const;
    await vi.waitFor(async () => {
      const left = await world.bench.client.find(volumeAttributesClasses, { name: gone });
      if (left !== undefined) await world.bench.client.patch(volumeAttributesClasses, { name: gone }, unprotected);
      expect(left).toBeUndefined();
    }, soon);
    await vi.waitFor(async () => {
      expect((await world.events("stranded")).some((line) => line.includes("does not exist"))).toBe(true);
    }, soon);
  });

  it("expands and modifies one volume at the same time", async () => {
    const both = await world.makeClass("both", { throughput: "7" });
    await world.makeClaim("both", { isBlock: true });
    await Promise.all([world.wishClass("both", both), world.request("both", "2Gi")]);
    await world.claimHas("both", {
      status: { capacity: { storage: "2Gi" }, currentVolumeAttributesClassName: both },
    });
    const claim = await world.claim("both");
    expect(claim.status?.conditions).toBeUndefined();
  });
});

describe("a driver that modifies volumes", () => {
  it("with secrets gets those that the provisioner noted, and the names of claim and volume if wanted", async () => {
    const metadata = ["csi.storage.k8s.io/pvc/name", "csi.storage.k8s.io/pvc/namespace", "csi.storage.k8s.io/pv/name"];
    const required = { key: "k" };
    await using world = await startResizerBench({
      driver: { secrets: { ControllerModifyVolumeSecret: required }, mutableParameters: ["iops", ...metadata] },
      resizer: { hasExtraModifyMetadata: true },
    });
    const { client, namespace, driver } = world.bench;
    await client.create(secrets, { metadata: { namespace, name: "modify" }, stringData: required });
    const annotations = {
      "volume.kubernetes.io/controller-modify-secret-name": "modify",
      "volume.kubernetes.io/controller-modify-secret-namespace": namespace,
    };
    await world.makeClaim("locked", { metadata: { annotations } });
    await world.wishClass("locked", await world.makeClass("extra", { iops: "1" }));
    await world.claimHas("locked", { status: { currentVolumeAttributesClassName: `${namespace}-extra` } });
    expect(driver.state().volumes[0]?.mutableParameters).toEqual({
      iops: "1",
      "csi.storage.k8s.io/pvc/name": "locked",
      "csi.storage.k8s.io/pvc/namespace": namespace,
      "csi.storage.k8s.io/pv/name": `${namespace}-locked`,
    });
  });
});
