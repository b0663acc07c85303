import { readdir } from "node:fs/promises";
import { StowageError } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { assert, asyncProperty, string } from "fast-check";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import {
  Controller,
  GroupController,
  Identity,
  VolumeCapability_AccessMode_Mode as Mode,
  Node,
} from "../generated/csi_pb.js";
import { CsiError } from "../protocol/index.ts";
import type { NodeService } from "./driver.ts";
import { startDriver } from "./fixtures/served-driver.ts";

const mount = {
  accessType: { case: "mount" as const, value: {} },
  accessMode: { mode: Mode.SINGLE_NODE_WRITER },
};
const volume = { name: "pvc-1", volumeCapabilities: [mount] };
const stage = { volumeId: "pvc-1", stagingTargetPath: "/s", volumeCapability: mount };
const publish = { volumeId: "pvc-1", targetPath: "/t", volumeCapability: mount };

function node(own: Partial<NodeService>): NodeService {
  const nothing = () => Promise.resolve({});
  return { nodePublishVolume: nothing, nodeUnpublishVolume: nothing, nodeGetInfo: nothing, ...own };
}

/** A function that runs until it is told to end. */
function held() {
  const started = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const run = async () => {
    started.resolve();
    await end.promise;
    return {};
  };
  return { run, started: started.promise, end: () => end.resolve() };
}

test("a driver is called with its request, and its plain answer is sent", async () => {
  await using served = await startDriver({
    controller: {
      createVolume: (request) =>
        Promise.resolve({
          volume: { volumeId: `id-${request.name}`, capacityBytes: request.capacityRange?.requiredBytes },
        }),
      deleteVolume: () => Promise.resolve({}),
    },
  });
  const request = { ...volume, capacityRange: { requiredBytes: 2n ** 40n } };
  const { volume: created } = await served.caller.call(Controller.method.createVolume, request);
  expect(created).toMatchObject({ volumeId: "id-pvc-1", capacityBytes: 2n ** 40n });
});

test("a driver that is an object of a class keeps its this", async () => {
  class NodeOfClass implements NodeService {
    readonly #nodeId = "node-a";
    nodePublishVolume = () => Promise.resolve({});
    nodeUnpublishVolume = () => Promise.resolve({});
    nodeGetInfo() {
      return Promise.resolve({ nodeId: this.#nodeId });
    }
  }
  await using served = await startDriver({ node: new NodeOfClass() });
  expect(await served.caller.call(Node.method.nodeGetInfo, {})).toMatchObject({ nodeId: "node-a" });
});

test("identity is answered without a word of the driver's", async () => {
  await using served = await startDriver({ manifest: { a: "b" } });
  expect(await served.caller.call(Identity.method.getPluginInfo, {})).toMatchObject({
    name: "test.stowage.dev",
    vendorVersion: "1.0",
    manifest: { a: "b" },
  });
  expect(await served.caller.call(Identity.method.probe, {})).toMatchObject({ ready: true });
});

test("what a driver lacks, or is behind the gate of 1.13, is UNIMPLEMENTED", async () => {
  const controllerGetVolumeHealth = () => Promise.resolve({ volumeHealth: { volumeId: "v" } });
  await using served = await startDriver({ controller: { controllerGetVolumeHealth } });
  const unimplemented = { grpcCode: "UNIMPLEMENTED" };
  await expect(served.caller.call(Controller.method.createVolume, {})).rejects.toMatchObject(unimplemented);
  await expect(served.caller.call(Node.method.nodeGetInfo, {})).rejects.toMatchObject(unimplemented);
  await expect(served.caller.call(GroupController.method.groupControllerGetCapabilities, {})).rejects.toMatchObject(
    unimplemented,
  );
  const health = { volumeId: "v" };
  await expect(served.caller.call(Controller.method.controllerGetVolumeHealth, health)).rejects.toMatchObject(
    unimplemented,
  );
  await using gated = await startDriver({ controller: { controllerGetVolumeHealth } }, { gate13: true });
  await gated.caller.call(Controller.method.controllerGetVolumeHealth, health);
});

test("a bad request does not reach the driver, and names the volume, the field and the next step", async () => {
  let calls = 0;
  const nodeUnpublishVolume = () => {
    calls++;
    return Promise.resolve({});
  };
  await using served = await startDriver({ node: node({ nodeUnpublishVolume }) });
  await expect(served.caller.call(Node.method.nodeUnpublishVolume, { volumeId: "v" })).rejects.toMatchObject({
    grpcCode: "INVALID_ARGUMENT",
    details: "NodeUnpublishVolume (volume v): target_path is required: send the path to publish the volume at",
  });
  expect(calls).toBe(0);
});

test("a volume that is being staged is not published at the same time, but others are, and it can be read", async () => {
  const { run, started, end } = held();
  const nodeGetVolumeStats = () => Promise.resolve({});
  await using served = await startDriver({
    node: node({ nodeStageVolume: run, nodeUnstageVolume: run, nodeGetVolumeStats }),
  });
  const staging = served.caller.call(Node.method.nodeStageVolume, stage);
  await started;
  await expect(served.caller.call(Node.method.nodePublishVolume, publish)).rejects.toMatchObject({
    grpcCode: "ABORTED",
    details: expect.stringMatching(/^volume pvc-1: NodeStageVolume has been running for \d+\.\d s: try again/u),
  });
  await served.caller.call(Node.method.nodePublishVolume, { ...publish, volumeId: "pvc-2" });
  await served.caller.call(Node.method.nodeGetVolumeStats, { volumeId: "pvc-1", volumePath: "/t" });
  end();
  await staging;
  await served.caller.call(Node.method.nodePublishVolume, publish);
});

test("two targets of one volume conflict, while the controller's work on it does not", async () => {
  const { run, started, end } = held();
  const nothing = () => Promise.resolve({});
  await using served = await startDriver({
    controller: { controllerPublishVolume: nothing, controllerUnpublishVolume: nothing },
    node: node({ nodePublishVolume: run }),
  });
  const first = served.caller.call(Node.method.nodePublishVolume, publish);
  await started;
  const second = served.caller.call(Node.method.nodePublishVolume, { ...publish, targetPath: "/u" });
  await expect(second).rejects.toMatchObject({ grpcCode: "ABORTED" });
  await served.caller.call(Controller.method.controllerUnpublishVolume, { volumeId: "pvc-1" });
  end();
  await first;
});

test("a volume that is being created is not created a second time under the same name", async () => {
  const { run, started, end } = held();
  await using served = await startDriver({ controller: { createVolume: run, deleteVolume: run } });
  const first = served.caller.call(Controller.method.createVolume, volume);
  await started;
  await expect(served.caller.call(Controller.method.createVolume, volume)).rejects.toMatchObject({
    grpcCode: "ABORTED",
    details: expect.stringContaining("volume name pvc-1: CreateVolume has been running"),
  });
  end();
  await first;
});

test("a lock is held until the driver's function ends, even if the caller gave up", async () => {
  const { run, started, end } = held();
  await using served = await startDriver({ node: node({ nodePublishVolume: run }) });
  const impatient = new AbortController();
  const first = served.caller.call(Node.method.nodePublishVolume, publish, { signal: impatient.signal });
  await started;
  impatient.abort();
  await expect(first).rejects.toMatchObject({ grpcCode: "CANCELLED" });
  const again = () => served.caller.call(Node.method.nodePublishVolume, publish);
  await expect(again()).rejects.toMatchObject({ grpcCode: "ABORTED" });
  end();
  await expect.poll(again).toBeDefined();
});

/** A function that runs until its signal is aborted, and notes why it was. */
function heedful(onStarted: () => void = () => {}) {
  const reasons: unknown[] = [];
  const run: NodeService["nodePublishVolume"] = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        reasons.push(signal.reason);
        reject(signal.reason);
      });
      onStarted();
    });
  return { run, reasons };
}

test("a caller that gives up aborts the signal", async () => {
  const impatient = new AbortController();
  const { run, reasons } = heedful(() => impatient.abort());
  await using served = await startDriver({ node: node({ nodePublishVolume: run }) });
  const call = served.caller.call(Node.method.nodePublishVolume, publish, { signal: impatient.signal });
  await expect(call).rejects.toMatchObject({ grpcCode: "CANCELLED" });
  await expect.poll(() => reasons).toMatchObject([{ grpcCode: "CANCELLED" }]);
});

test("a caller whose time is over aborts the signal", async () => {
  const { run, reasons } = heedful();
  await using served = await startDriver({ node: node({ nodePublishVolume: run }) });
  const call = async () => {
    await served.caller.call(Node.method.nodePublishVolume, publish, { timeoutMs: 100 }).catch(() => {});
    return reasons[0];
  };
  // More than once where the machine is so busy that the time is over before the call arrives.
  await expect.poll(call).toMatchObject({ grpcCode: "CANCELLED" });
});

test.each([
  ["a CsiError", new CsiError("NOT_FOUND", "no volume v"), "NOT_FOUND", /^no volume v$/u],
  ["a known error", new StowageError("CONNECTION_REFUSED", "cannot reach it"), "UNAVAILABLE", /^cannot reach it: /u],
  ["any other error", new TypeError("x is\n undefined"), "INTERNAL", /^NodeGetInfo failed: x is undefined; /u],
  ["what is no error", "a string", "INTERNAL", /a string/u],
])("%s is answered with its code", async (_, thrown, grpcCode, details) => {
  // oxlint-disable-next-line prefer-promise-reject-errors
  await using served = await startDriver({ node: node({ nodeGetInfo: () => Promise.reject(thrown) }) });
  await expect(served.caller.call(Node.method.nodeGetInfo, {})).rejects.toMatchObject({
    grpcCode,
    details: expect.stringMatching(details),
  });
});

test("a secret is in no log and no error, in whatever form the driver lets it out", async () => {
  const nodePublishVolume: NodeService["nodePublishVolume"] = (request, { logger }) => {
    const [secret = ""] = Object.values(request.secrets);
    logger.info({ secret, nested: { list: [secret], err: new Error(secret) } }, `mounting with ${secret}`);
    const base64 = Buffer.from(secret).toString("base64");
    throw new Error(`mount -o pass=${secret} url=${encodeURIComponent(secret)} ${base64} ${JSON.stringify(secret)}`);
  };
  await using served = await startDriver({ node: node({ nodePublishVolume }) });
  const secretText = string({ minLength: 12, maxLength: 40 }).map((text) => `Zq#${text}`);
  await assert(
    asyncProperty(secretText, async (secret) => {
      const request = { ...publish, secrets: { password: secret } };
      const failure = await served.caller
        .call(Node.method.nodePublishVolume, request)
        .catch((error: CsiError) => error);
      expect((failure as CsiError).details).not.toContain(secret);
      expect((failure as CsiError).details).not.toContain(Buffer.from(secret).toString("base64"));
      const written = served.logs.text();
      expect(written).not.toContain(secret);
      expect(written).not.toContain(JSON.stringify(secret).slice(1, -1));
      expect(written).not.toContain(encodeURIComponent(secret));
      served.logs.lines.length = 0;
    }),
    { numRuns: 60 },
  );
});

test("a call is logged as it starts and as it ends, with code and duration", async () => {
  await using served = await startDriver({ node: node({}) });
  await served.caller.call(Node.method.nodePublishVolume, { ...publish, secrets: { key: "hunter22" } });
  await served.caller.call(Node.method.nodeUnpublishVolume, {}).catch(() => {});
  await served.caller.call(Node.method.nodeGetCapabilities, {});
  const lines = served.logs.lines.filter(({ fields }) => "method" in fields);
  expect(lines.map(({ level, message, fields }) => [level, message, fields["method"], fields["code"]])).toEqual([
    ["debug", "CSI call started", "NodePublishVolume", undefined],
    ["info", "CSI call succeeded", "NodePublishVolume", "OK"],
    ["debug", "CSI call started", "NodeUnpublishVolume", undefined],
    ["warn", "CSI call failed", "NodeUnpublishVolume", "INVALID_ARGUMENT"],
    ["debug", "CSI call started", "NodeGetCapabilities", undefined],
    ["debug", "CSI call succeeded", "NodeGetCapabilities", "OK"],
  ]);
  expect(lines[0]?.fields["request"]).toMatchObject({ volume_id: "pvc-1", secrets: "***stripped***" });
});

test("the log of a call that makes something has the driver's own name for it beside the one that was asked for", async () => {
  const createVolume = async () => ({ volume: { volumeId: "vol-7", capacityBytes: 1n } });
  await using served = await startDriver({ controller: { createVolume, deleteVolume: async () => ({}) } });
  await served.caller.call(Controller.method.createVolume, volume);
  const made = served.logs.lines.find(({ message }) => message === "CSI call succeeded");
  expect(made?.fields).toMatchObject({ method: "CreateVolume", made: "vol-7", request: { name: "pvc-1" } });
});

test("calls are measured by method and code, also when drivers share a registry", async () => {
  const metrics = new Registry();
  await using served = await startDriver({ node: node({}) }, { metrics });
  await using other = await startDriver({ node: node({}) }, { metrics });
  await served.caller.call(Node.method.nodePublishVolume, publish);
  await other.caller.call(Node.method.nodePublishVolume, {}).catch(() => {});
  const text = await metrics.metrics();
  const count = 'csi_operations_seconds_count{method="/csi.v1.Node/NodePublishVolume",grpc_status_code=';
  expect(text).toContain(`${count}"OK"} 1`);
  expect(text).toContain(`${count}"InvalidArgument"} 1`);
  expect(text).toContain('csi_operations_in_flight{method="/csi.v1.Node/NodePublishVolume"} 0');
});

test("a driver that stopped leaves nothing behind", async () => {
  await using served = await startDriver({});
  served.stop();
  await served.done;
  await expect(readdir(served.folder)).resolves.toEqual([]);
});

test("an INTERNAL error is logged with where it came from", async () => {
  const nodeGetInfo = () => Promise.reject(new TypeError("x is undefined"));
  await using served = await startDriver({ node: node({ nodeGetInfo }) });
  await served.caller.call(Node.method.nodeGetInfo, {}).catch(() => {});
  expect(served.logs.lines.find(({ level }) => level === "warn")?.fields["err"]).toBeInstanceOf(TypeError);
});

test("stopping waits for calls that run, and lets no new ones in", async () => {
  const { run, started, end } = held();
  await using served = await startDriver({ node: node({ nodePublishVolume: run }) });
  const running = served.caller.call(Node.method.nodePublishVolume, publish);
  await started;
  served.stop();
  await expect(served.caller.call(Node.method.nodeGetCapabilities, {})).rejects.toMatchObject({
    grpcCode: "UNAVAILABLE",
  });
  end();
  await running;
  await served.done;
});

test("a call that takes too long to stop is aborted, and answered with UNAVAILABLE", async () => {
  const started = Promise.withResolvers<void>();
  const { run, reasons } = heedful(() => started.resolve());
  const clock = new ManualClock();
  await using served = await startDriver({ node: node({ nodePublishVolume: run }) }, { clock, drainTimeoutMs: 50 });
  const running = served.caller.call(Node.method.nodePublishVolume, publish);
  const outcome = running.catch((error: unknown) => error);
  await started.promise;
  served.stop();
  await clock.advance(49);
  expect(reasons).toEqual([]);
  await clock.advance(1);
  expect(await outcome).toMatchObject({ grpcCode: "UNAVAILABLE" });
  await served.done;
});

test("a call that heeds nothing does not keep the driver from stopping", async () => {
  const { run, started } = held();
  const clock = new ManualClock();
  await using served = await startDriver({ node: node({ nodePublishVolume: run }) }, { clock, drainTimeoutMs: 50 });
  const running = served.caller.call(Node.method.nodePublishVolume, publish).catch((error: unknown) => error);
  await started;
  served.stop();
  await clock.advance(60_000);
  await served.done;
  expect(await running).toBeInstanceOf(CsiError);
  expect(served.logs.text()).toContain("abandoned");
});
