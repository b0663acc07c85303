import { type PersistentVolumeClaim, pods, secrets } from "@stowage/machinery";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type ResizerBench, soon, startResizerBench } from "./resizer-bench.ts";

const PRE_RESIZE = "volume.alpha.kubernetes.io/pre-resize-capacity";
const NOT_REQUIRED = "volume.kubernetes.io/node-expansion-not-required";

function conditionsOf({ status }: PersistentVolumeClaim): string[] {
  return (status?.conditions ?? []).map((condition) => `${condition.type}=${condition.status}`).toSorted();
}

describe("the resizer", () => {
  let world: ResizerBench;

  beforeAll(async () => {
    world = await startResizerBench();
  });
  afterEach(() => {
    world.bench.driver.clearFaults();
    world.bench.driver.clearCalls();
    world.requests.length = 0;
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it("expands a volume and leaves the file system to the node, with six requests", async () => {
    await world.makeClaim("files");
    world.requests.length = 0;
    await world.request("files", "2Gi");
    const pending = await world.claimHas("files", {
      status: {
        capacity: { storage: "1Gi" },
        allocatedResources: { storage: "2Gi" },
        allocatedResourceStatuses: { storage: "NodeResizePending" },
      },
    });
    expect(conditionsOf(pending)).toEqual(["FileSystemResizePending=True", "Resizing=True"]);
    const volume = await world.volume("files");
    expect(volume.spec?.capacity).toEqual({ storage: "2Gi" });
    expect(volume.metadata.annotations?.[PRE_RESIZE]).toBe("1Gi");
    await world.finishOnNode("files");
    await vi.waitFor(async () => {
      expect((await world.volume("files")).metadata.annotations?.[PRE_RESIZE]).toBeUndefined();
    }, soon);
    expect(world.askedGib()).toEqual([2]);
    expect(world.requests).toEqual([
      "patch persistentvolumeclaims/status",
      "patch persistentvolumes",
      "patch persistentvolumeclaims/status",
      "patch persistentvolumes",
    ]);
    await vi.waitFor(async () => {
      expect(await world.events("files")).toEqual([
        `Normal Resizing External resizer is resizing volume ${volume.metadata.name}`,
        "Normal FileSystemResizeRequired Require file system resize of volume on node",
      ]);
    }, soon);
  });

  it("expands a volume that the node has nothing to do for, with five requests", async () => {
    await world.makeClaim("block", { isBlock: true });
    world.requests.length = 0;
    await world.request("block", "2Gi");
    const claim = await world.claimHas("block", { status: { capacity: { storage: "2Gi" } } });
    expect(claim.metadata.annotations?.[NOT_REQUIRED]).toBe("true");
    expect(claim.status?.allocatedResourceStatuses).toBeUndefined();
    expect(claim.status?.conditions).toBeUndefined();
    expect((await world.volume("block")).metadata.annotations?.[PRE_RESIZE]).toBeUndefined();
    expect(world.requests).toEqual([
      "patch persistentvolumeclaims/status",
      "patch persistentvolumes",
      "patch persistentvolumeclaims/status",
    ]);
    await vi.waitFor(async () => {
      expect((await world.events("block")).at(-1)).toBe("Normal VolumeResizeSuccessful Resize volume succeeded");
    }, soon);
    await world.request("block", "3Gi");
    const again = await world.claimHas("block", { status: { capacity: { storage: "3Gi" } } });
    expect(again.metadata.annotations?.[NOT_REQUIRED]).toBe("true");
    expect(world.askedGib()).toEqual([2, 3]);
  });

  it("calls what the driver cannot do infeasible, tries it seldom, and recovers with a smaller request", async () => {
    await world.makeClaim("greedy");
    await world.request("greedy", "20Ti");
    const infeasible = await world.claimHas("greedy", {
      status: { allocatedResourceStatuses: { storage: "ControllerResizeInfeasible" } },
    });
    const error = infeasible.status?.conditions?.find(({ type }) => type === "ControllerResizeError");
    expect(error?.message).toMatch(
      /^failed to expand pvc with rpc error: code = OutOfRange desc = .* above the present 1Gi\.$/u,
    );
    // Again after 400 ms, the longest wait, and not before.
    await vi.waitFor(() => expect(world.askedGib()).toHaveLength(2), soon);
    const [first, second] = world.bench.driver
      .calls("ControllerExpandVolume")
      .map((call) => Date.parse(call.startedAt));
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(390);
    await vi.waitFor(async () => {
      expect((await world.events("greedy")).some((line) => line.startsWith("Warning VolumeResizeFailed"))).toBe(true);
    }, soon);
    await world.request("greedy", "2Gi");
    const recovered = await world.claimHas("greedy", {
      status: {
        allocatedResources: { storage: "2Gi" },
        allocatedResourceStatuses: { storage: "NodeResizePending" },
      },
    });
    expect(conditionsOf(recovered)).toEqual(["FileSystemResizePending=True", "Resizing=True"]);
  });

  it("says what failed, keeps the state open, and takes another size after a failure that is certain", async () => {
    await world.makeClaim("failing");
    world.bench.driver.addFault({ method: "ControllerExpandVolume", kind: "fail", code: "INTERNAL", message: "no" });
    await world.request("failing", "4Gi");
    const failed = await vi.waitFor(async () => {
      const claim = await world.claim("failing");
      expect(conditionsOf(claim)).toEqual(["ControllerResizeError=True", "Resizing=True"]);
      return claim;
    }, soon);
    expect(failed.status?.allocatedResourceStatuses).toEqual({ storage: "ControllerResizeInProgress" });
    await world.request("failing", "2Gi");
    await vi.waitFor(() => expect(world.askedGib().at(-1)).toBe(2), soon);
    world.bench.driver.clearFaults();
    await world.claimHas("failing", {
      status: {
        allocatedResources: { storage: "2Gi" },
        allocatedResourceStatuses: { storage: "NodeResizePending" },
      },
    });
  });

  it.each([
    ["goes on", false],
    ["goes on after a restart", true],
  ])("%s with the earlier size while what became of it is not known", async (title, restarts) => {
    const name = `unknown-${restarts}`;
    await world.makeClaim(name, { isBlock: true });
    world.bench.driver.addFault({ method: "ControllerExpandVolume", kind: "hang" });
    await world.request(name, "4Gi");
    await vi.waitFor(() => expect(world.askedGib(), title).toContain(4), soon);
    await world.request(name, "2Gi");
    if (restarts) await world.restart();
    const before = world.askedGib().length;
    await vi.waitFor(() => expect(world.askedGib().length).toBeGreaterThan(before), soon);
    world.bench.driver.clearFaults();
    await world.claimHas(name, { status: { capacity: { storage: "4Gi" } } });
    expect(new Set(world.askedGib())).toEqual(new Set([4]));
  });

  it.each([
    ["is lost", { kind: "lostReply", times: 1 }],
    ["comes too late", { kind: "late", delayMs: 1500, times: 1 }],
  ] as const)("finishes an expansion whose answer %s", async (_, fault) => {
    const name = `answer-${fault.kind.toLowerCase()}`;
    await world.makeClaim(name, { isBlock: true });
    world.bench.driver.addFault({ method: "ControllerExpandVolume", ...fault });
    await world.request(name, "2Gi");
    await world.claimHas(name, { status: { capacity: { storage: "2Gi" } } });
    expect(world.askedGib()).toEqual([2, 2]);
  });

  it("lets the node try again after it has called the expansion impossible", async () => {
    await world.makeClaim("node-fails");
    await world.request("node-fails", "2Gi");
    await world.claimHas("node-fails", { status: { allocatedResourceStatuses: { storage: "NodeResizePending" } } });
    await world.patchStatus("node-fails", { allocatedResourceStatuses: { storage: "NodeResizeInProgress" } });
    await world.patchStatus("node-fails", { allocatedResourceStatuses: { storage: "NodeResizeInfeasible" } });
    await world.claimHas("node-fails", { status: { allocatedResourceStatuses: { storage: "NodeResizePending" } } });
    expect(world.askedGib()).toEqual([2, 2]);
  });

  it("does not begin another size while the node is at work", async () => {
    await world.makeClaim("busy-node");
    await world.request("busy-node", "2Gi");
    await world.claimHas("busy-node", { status: { allocatedResourceStatuses: { storage: "NodeResizePending" } } });
    await world.patchStatus("busy-node", { allocatedResourceStatuses: { storage: "NodeResizeInProgress" } });
    await world.request("busy-node", "3Gi");
    // Another claim that is worked on after it shows that it has been looked at.
    await world.makeClaim("marker", { isBlock: true });
    await world.request("marker", "2Gi");
    await world.claimHas("marker", { status: { capacity: { storage: "2Gi" } } });
    expect((await world.volume("busy-node")).spec?.capacity).toEqual({ storage: "2Gi" });
    await world.finishOnNode("busy-node");
    await world.claimHas("busy-node", {
      status: { allocatedResources: { storage: "3Gi" }, allocatedResourceStatuses: { storage: "NodeResizePending" } },
    });
  });

  it("leaves volumes of other drivers alone", async () => {
    await world.makeClaim("foreign", { csi: { driver: "other.csi.example.com" } });
    await world.request("foreign", "2Gi");
    await world.makeClaim("own", { isBlock: true });
    await world.request("own", "2Gi");
    await world.claimHas("own", { status: { capacity: { storage: "2Gi" } } });
    expect((await world.claim("foreign")).status?.allocatedResources).toBeUndefined();
  });

  it("waits until no Pod uses a volume that cannot grow in use, and watches Pods no longer than that", async () => {
    const { driver, client, namespace } = world.bench;
    await world.makeClaim("used", { isBlock: true });
    await world.makePod("user", "used");
    driver.addFault({
      method: "ControllerExpandVolume",
      kind: "fail",
      code: "FAILED_PRECONDITION",
      times: 1,
    });
    await world.request("used", "2Gi");
    await vi.waitFor(async () => {
      expect((await world.events("used")).at(-1)).toBe(
        `Warning VolumeResizeFailed Unable to expand ${namespace}/used because CSI driver ${world.bench.driverName} only supports ` +
          "offline expansion and volume is currently in-use. It goes on when no Pod uses the claim: stop user.",
      );
    }, soon);
    expect(world.askedGib()).toEqual([2]);
    expect(world.requests).toContain("watch pods");
    expect(world.requests).not.toContain("end pods");
    await client.delete(pods, { namespace, name: "user" }, { gracePeriodSeconds: 0 });
    await world.claimHas("used", { status: { capacity: { storage: "2Gi" } } });
    expect(world.askedGib()).toEqual([2, 2]);
    await vi.waitFor(() => expect(world.requests).toContain("end pods"), soon);
  });

  it("counts a Pod that has ended as gone", async () => {
    const { driver, client, namespace } = world.bench;
    await world.makeClaim("ended", { isBlock: true });
    await world.makePod("job", "ended");
    driver.addFault({ method: "ControllerExpandVolume", kind: "fail", code: "FAILED_PRECONDITION", times: 1 });
    await world.request("ended", "2Gi");
    await vi.waitFor(() => expect(world.requests).toContain("watch pods"), soon);
    const phase = { type: "merge", patch: { status: { phase: "Succeeded" } } } as const;
    await client.patch(pods, { namespace, name: "job" }, phase, { subresource: "status" });
    await world.claimHas("ended", { status: { capacity: { storage: "2Gi" } } });
  });
});

describe("a driver that expands", () => {
  it("on the node alone is not asked by the resizer", async () => {
    const withoutExpansion = (controller: ReadonlySet<string>) =>
      new Set([...controller].filter((c) => c !== "EXPAND_VOLUME"));
    await using world = await startResizerBench({
      pretend: (driver) => ({ ...driver, controller: withoutExpansion(driver.controller) as typeof driver.controller }),
    });
    await world.makeClaim("node-only");
    await world.request("node-only", "2Gi");
    await world.claimHas("node-only", { status: { allocatedResourceStatuses: { storage: "NodeResizePending" } } });
    expect((await world.volume("node-only")).spec?.capacity).toEqual({ storage: "2Gi" });
    expect(world.askedGib()).toEqual([]);
  });

  it("with secrets gets those that the PersistentVolume names", async () => {
    const required = { key: "k" };
    await using world = await startResizerBench({ driver: { secrets: { ControllerExpandVolumeSecret: required } } });
    const { client, namespace } = world.bench;
    await client.create(secrets, { metadata: { namespace, name: "expand" }, stringData: required });
    await world.makeClaim("locked", {
      isBlock: true,
      csi: { controllerExpandSecretRef: { namespace, name: "expand" } },
    });
    await world.request("locked", "2Gi");
    await world.claimHas("locked", { status: { capacity: { storage: "2Gi" } } });
  });

  it("on each node expands the volumes of its own, and leaves those of other nodes as they are", async () => {
    const key = "topology.resizer.test/host";
    const on = (host: string) => ({
      required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: "In" as const, values: [host] }] }] },
    });
    await using world = await startResizerBench({ resizer: { nodeSegments: { [key]: "here" } } });
    await world.makeClaim("there", { isBlock: true, nodeAffinity: on("there") });
    await world.makeClaim("here", { isBlock: true, nodeAffinity: on("here") });
    await world.request("there", "3Gi");
    await world.request("here", "2Gi");
    await world.claimHas("here", { status: { capacity: { storage: "2Gi" } } });
    expect(world.askedGib()).toEqual([2]);
    expect((await world.claim("there")).status).toEqual({
      phase: "Bound",
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
    });
  });

  it("only offline is asked again and again when nobody waits for Pods", async () => {
    await using world = await startResizerBench({ resizer: { handlesVolumesInUse: false } });
    await world.makeClaim("offline", { isBlock: true });
    await world.makePod("user", "offline");
    world.bench.driver.addFault({
      method: "ControllerExpandVolume",
      kind: "fail",
      code: "FAILED_PRECONDITION",
      times: 3,
    });
    await world.request("offline", "2Gi");
    await world.claimHas("offline", { status: { capacity: { storage: "2Gi" } } });
    expect(world.askedGib()).toEqual([2, 2, 2, 2]);
    expect(world.requests).not.toContain("watch pods");
  });
});
