import { type Clock, hasErrorCode, systemClock } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { Registry } from "prom-client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CsiError, isCsiCode, isFinalError } from "../protocol/index.ts";
import { type CsiClient, type CsiClientOptions, createCsiClient } from "./csi-client.ts";
import { recordingLogger } from "./fixtures/recording-logger.ts";
import { type Behaviour, TestDriver } from "./fixtures/test-driver.ts";
import type { ObservedCall } from "./observed-call.ts";

const disposals: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const dispose of disposals.splice(0).toReversed()) await dispose();
});

async function startedDriver(behaviour?: Behaviour): Promise<TestDriver> {
  const driver = await TestDriver.started(behaviour);
  disposals.push(() => driver[Symbol.asyncDispose]());
  return driver;
}

async function absentDriver(behaviour?: Behaviour): Promise<TestDriver> {
  const driver = await TestDriver.absent(behaviour);
  disposals.push(() => driver[Symbol.asyncDispose]());
  return driver;
}

function clientOf(driver: TestDriver, options: Partial<CsiClientOptions> = {}): CsiClient {
  const client = createCsiClient({ endpoint: driver.endpoint, ...options });
  disposals.push(() => client.close());
  return client;
}

/** Sleeps for a moment instead of seconds. */
const hastyClock: Clock = { ...systemClock, sleep: (_, signal) => systemClock.sleep(5, signal) };

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable("the call should have failed"),
    (error: unknown) => error as CsiError,
  );

const never = () => new Promise<never>(() => {});

describe("a call", () => {
  it("takes plain objects and returns the driver's answer", async () => {
    const driver = await startedDriver({
      createVolume: ({ name, capacityRange }) => ({
        volume: { volumeId: `id-of-${name}`, capacityBytes: capacityRange?.requiredBytes },
      }),
    });
    const { volume } = await clientOf(driver).controller.createVolume({
      name: "pvc-1",
      capacityRange: { requiredBytes: 2n ** 40n },
    });
    expect(volume).toMatchObject({ volumeId: "id-of-pvc-1", capacityBytes: 2n ** 40n });
  });

  it("names localhost as the authority, which Go and Node both accept", async () => {
    const driver = await startedDriver();
    await clientOf(driver).identity.probe({});
    expect(driver.hosts).toEqual(["localhost"]);
  });

  it("accepts the bare path of the socket as the endpoint", async () => {
    const driver = await startedDriver();
    const client = clientOf(driver, { endpoint: driver.endpoint.replace("unix://", "") });
    await expect(client.driverName()).resolves.toBe("test.csi.example.com");
  });

  it("fails with the driver's code and words", async () => {
    const driver = await startedDriver({
      createVolume: () => {
        throw new CsiError("OUT_OF_RANGE", "too lärge");
      },
    });
    const error = await failureOf(clientOf(driver).controller.createVolume({}));
    expect(error).toMatchObject({
      code: "CSI_CALL_FAILED",
      grpcCode: "OUT_OF_RANGE",
      details: "too lärge",
      method: "/csi.v1.Controller/CreateVolume",
      message: "/csi.v1.Controller/CreateVolume failed with OUT_OF_RANGE: too lärge",
    });
  });

  it("fails with UNIMPLEMENTED where the driver does not have the method or the service", async () => {
    const client = clientOf(await startedDriver());
    await expect(client.controller.listVolumes({})).rejects.toMatchObject({ grpcCode: "UNIMPLEMENTED" });
    await expect(client.node.nodeGetInfo({})).rejects.toMatchObject({ grpcCode: "UNIMPLEMENTED" });
  });

  it("ends at the client's deadline", async () => {
    const client = clientOf(await startedDriver({ createVolume: never }), { timeoutMs: 50 });
    const error = await failureOf(client.controller.createVolume({}));
    expect(error).toMatchObject({ grpcCode: "DEADLINE_EXCEEDED", code: "CSI_CALL_TIMEOUT" });
  });

  it("ends at its own deadline when it has one", async () => {
    const client = clientOf(await startedDriver({ createVolume: never }), { timeoutMs: 60_000 });
    const error = await failureOf(client.controller.createVolume({}, { timeoutMs: 50 }));
    expect(isCsiCode(error, "DEADLINE_EXCEEDED")).toBe(true);
  });

  it("ends with CANCELLED when its signal aborts, before it or during it", async () => {
    const driver = await startedDriver({ createVolume: never });
    const client = clientOf(driver);
    const controller = new AbortController();
    const during = failureOf(client.controller.createVolume({}, { signal: controller.signal }));
    await expect.poll(() => driver.calls).toEqual(["createVolume"]);
    controller.abort(new Error("shutting down"));
    expect(await during).toMatchObject({ grpcCode: "CANCELLED", cause: new Error("shutting down") });
    const before = await failureOf(client.controller.createVolume({}, { signal: controller.signal }));
    expect(before).toMatchObject({ grpcCode: "CANCELLED" });
    expect(driver.calls).toHaveLength(1);
  });

  it("fails at once with UNAVAILABLE when nobody is at the socket", async () => {
    const error = await failureOf(clientOf(await absentDriver()).identity.probe({}));
    expect(error).toMatchObject({ grpcCode: "UNAVAILABLE", code: "CSI_DRIVER_UNAVAILABLE" });
  });

  it("fails with CANCELLED when the client is closed, during it or before", async () => {
    const driver = await startedDriver({ createVolume: never });
    const client = clientOf(driver);
    const during = failureOf(client.controller.createVolume({}));
    await expect.poll(() => driver.calls).toEqual(["createVolume"]);
    client.close();
    expect(await during).toMatchObject({ grpcCode: "CANCELLED" });
    expect(await failureOf(client.identity.probe({}))).toMatchObject({ grpcCode: "CANCELLED" });
  });

  it("takes answers that are larger than gRPC allows by default", async () => {
    const large = "x".repeat(5 * 1024 * 1024);
    const driver = await startedDriver({ createVolume: () => ({ volume: { volumeId: large } }) });
    const { volume } = await clientOf(driver).controller.createVolume({});
    expect(volume?.volumeId).toHaveLength(large.length);
  });
});

describe("an endpoint", () => {
  it.each(["tcp://127.0.0.1:1", "csi.sock", "unix://csi.sock", "", `/${"x".repeat(107)}`, "/x".repeat(2048)])(
    "is refused: %s",
    (endpoint) => {
      const create = () => createCsiClient({ endpoint });
      expect(create).toThrow(expect.objectContaining({ code: "CSI_ENDPOINT_INVALID" }));
    },
  );
});

describe("secrets", () => {
  const secrets = { password: "hunter2-and-more", key: "AQBsecretKey==" };

  it("are in no log line, though calls and answers are", async () => {
    const logger = recordingLogger();
    const driver = await startedDriver({ createVolume: () => ({ volume: { volumeId: "v" } }) });
    await clientOf(driver, { logger }).controller.createVolume({ name: "pvc-1", secrets });
    const log = logger.lines.join("\n");
    expect(log).toContain('"request":{"name":"pvc-1","secrets":"***stripped***"}');
    expect(log).toContain('"response":{"volume":{"volume_id":"v"}}');
    expect(log).not.toContain("hunter2");
    expect(log).not.toContain("AQBsecretKey");
  });

  it("are in no error, even if the driver quotes them", async () => {
    const logger = recordingLogger();
    const driver = await startedDriver({
      createVolume: (request) => {
        throw new CsiError("INTERNAL", `mount -o ${Object.values(request.secrets).join(",")} failed`);
      },
    });
    const error = await failureOf(clientOf(driver, { logger }).controller.createVolume({ secrets }));
    expect(error.details).toBe("mount -o ***stripped***,***stripped*** failed");
    expect([error.stack, JSON.stringify(error), ...logger.lines].join("\n")).not.toMatch(/hunter2|AQBsecretKey/);
  });

  it("are in no error of a request that cannot be encoded", async () => {
    const wrong = { capacityRange: { requiredBytes: "hunter2" as unknown as bigint } };
    const logger = recordingLogger();
    const error = await failureOf(clientOf(await startedDriver(), { logger }).controller.createVolume(wrong));
    expect(error).toMatchObject({ grpcCode: "INVALID_ARGUMENT" });
    expect(logger.lines.join("\n")).not.toContain("hunter2");
    expect(error.cause).toBeUndefined();
    expect(error.message).toContain("a value of the CreateVolumeRequest");
    expect(error.message).not.toContain("hunter2");
  });
});

describe("a driver that restarts", () => {
  it("is called again without a new client", async () => {
    const driver = await startedDriver();
    const client = clientOf(driver);
    await client.identity.probe({});
    await driver.stop();
    expect(await failureOf(client.identity.probe({}))).toMatchObject({ grpcCode: "UNAVAILABLE" });
    await driver.start();
    await expect.poll(() => client.identity.probe({})).toBeDefined();
  });

  it("is missed and found again, without any call", async () => {
    const events: string[] = [];
    const driver = await absentDriver();
    const client = clientOf(driver, {
      onConnected: () => void events.push("connected"),
      onConnectionLost: () => void events.push("lost"),
    });
    await driver.start();
    await expect.poll(() => events).toEqual(["connected"]);
    expect(client.isConnected).toBe(true);
    await driver.stop();
    await expect.poll(() => events).toEqual(["connected", "lost"]);
    expect(client.isConnected).toBe(false);
    await driver.start();
    await expect.poll(() => events).toEqual(["connected", "lost", "connected"]);
  });

  it("leaves it open whether calls that were under way took place", async () => {
    const driver = await startedDriver({ createVolume: never });
    const failure = failureOf(clientOf(driver).controller.createVolume({}));
    await expect.poll(() => driver.calls).toEqual(["createVolume"]);
    await driver.stop();
    expect(isFinalError(await failure)).toBe(false);
  });

  it("is not missed because the client was closed", async () => {
    const driver = await startedDriver();
    const following = () => ({ onConnectionLost: vi.fn(), onConnected: vi.fn() });
    const [closed, other] = [following(), following()];
    const client = clientOf(driver, closed);
    clientOf(driver, other);
    for (const { onConnected } of [closed, other]) await expect.poll(() => onConnected).toHaveBeenCalledOnce();
    client.close();
    // What the other one misses is gone after what this one left.
    await driver.stop();
    await expect.poll(() => other.onConnectionLost).toHaveBeenCalledOnce();
    expect(closed.onConnectionLost).not.toHaveBeenCalled();
  });
});

describe("waiting for a driver", () => {
  it("takes as long as its socket needs to appear", async () => {
    const driver = await absentDriver();
    const client = clientOf(driver);
    const ready = client.waitForReady({ connectTimeoutMs: Number.POSITIVE_INFINITY });
    // Fails once it was tried to connect in vain.
    await failureOf(client.identity.probe({}));
    await driver.start();
    await ready;
    expect(driver.calls).toEqual(["probe"]);
  });

  it("goes on while the driver says that it is not ready, or cannot serve", async () => {
    const answers = [
      () => ({ ready: false }),
      () => {
        throw new CsiError("UNAVAILABLE", "starting");
      },
      () => ({ ready: true }),
    ];
    const driver = await startedDriver({ probe: () => answers.shift()?.() ?? {} });
    await clientOf(driver, { clock: hastyClock }).waitForReady();
    expect(driver.calls).toEqual(["probe", "probe", "probe"]);
  });

  it("goes on when a probe takes too long", async () => {
    let calls = 0;
    const driver = await startedDriver({ probe: () => (calls++ === 0 ? never() : {}) });
    await clientOf(driver, { clock: hastyClock, timeoutMs: 100 }).waitForReady();
    // More than two where the machine is so busy that others take too long, too.
    expect(calls).toBeGreaterThan(1);
  });

  it("ends with any other failure of the probe", async () => {
    const driver = await startedDriver({
      probe: () => {
        throw new CsiError("FAILED_PRECONDITION", "no configuration");
      },
    });
    const error = await failureOf(clientOf(driver).waitForReady());
    expect(error).toMatchObject({ grpcCode: "FAILED_PRECONDITION", details: "no configuration" });
  });

  it("ends when the socket does not appear in time", async () => {
    const error = await failureOf(clientOf(await absentDriver()).waitForReady({ connectTimeoutMs: 30 }));
    expect(error).toMatchObject({ grpcCode: "UNAVAILABLE", details: expect.stringContaining("within 30 ms") });
  });

  it("ends when the driver is not ready in time", async () => {
    const driver = await startedDriver({ probe: () => ({ ready: false }) });
    const error: unknown = await failureOf(clientOf(driver, { clock: hastyClock }).waitForReady({ timeoutMs: 20 }));
    expect(hasErrorCode(error, "CSI_DRIVER_NOT_READY")).toBe(true);
  });

  describe("ends when its signal aborts, with the signal's reason,", () => {
    const reason = new Error("stop");
    const stop = () => {
      const controller = new AbortController();
      return { signal: controller.signal, abort: () => controller.abort(reason) };
    };

    it("while nobody is there", async () => {
      const { signal, abort } = stop();
      const client = clientOf(await absentDriver());
      const ready = client.waitForReady({ signal });
      await Promise.all([expect(ready).rejects.toBe(reason), failureOf(client.identity.probe({})).then(abort)]);
    });

    it("during a probe", async () => {
      const { signal, abort } = stop();
      const driver = await startedDriver({ probe: () => (abort(), never()) });
      await expect(clientOf(driver).waitForReady({ signal })).rejects.toBe(reason);
    });

    it("between two probes", async () => {
      const { signal, abort } = stop();
      const clock = new ManualClock();
      const driver = await startedDriver({ probe: () => ({ ready: false }) });
      const ready = clientOf(driver, { clock }).waitForReady({ signal });
      const aborted = expect.poll(() => clock.sleeping).toBe(1);
      await Promise.all([expect(ready).rejects.toBe(reason), aborted.then(abort)]);
      expect(driver.calls).toEqual(["probe"]);
    });
  });
});

describe("what a driver says about itself", () => {
  it("is given by names, without those of later versions", async () => {
    const client = clientOf(await startedDriver());
    expect(await client.pluginCapabilities()).toEqual(new Set(["CONTROLLER_SERVICE", "VOLUME_EXPANSION_OFFLINE"]));
    expect(await client.controllerCapabilities()).toEqual(new Set(["EXPAND_VOLUME"]));
  });

  it("is nothing for a service that it does not have", async () => {
    const client = clientOf(await startedDriver());
    expect(await client.nodeCapabilities()).toEqual(new Set());
    expect(await client.groupControllerCapabilities()).toEqual(new Set());
  });

  it("is asked once, and again after a restart", async () => {
    const onConnectionLost = vi.fn();
    const driver = await startedDriver();
    const client = clientOf(driver, { onConnectionLost });
    await Promise.all([client.driverName(), client.driverName()]);
    await client.driverName();
    expect(driver.calls).toEqual(["getPluginInfo"]);
    await driver.stop();
    await expect.poll(() => onConnectionLost).toHaveBeenCalledOnce();
    driver.behaviour = { name: "other.csi.example.com" };
    await driver.start();
    await expect.poll(() => client.driverName()).toBe("other.csi.example.com");
  });

  it("is asked again after a failure", async () => {
    let isBroken = true;
    const driver = await startedDriver({
      controllerGetCapabilities: () => {
        if (isBroken) throw new CsiError("INTERNAL", "not now");
        return {};
      },
    });
    const client = clientOf(driver);
    await expect(client.controllerCapabilities()).rejects.toMatchObject({ details: "not now" });
    isBroken = false;
    expect(await client.controllerCapabilities()).toEqual(new Set());
  });
});

describe("the metrics of calls", () => {
  it("count each call by driver, method and code, under the names of the original sidecars", async () => {
    const registry = new Registry();
    const driver = await startedDriver({
      createVolume: () => {
        throw new CsiError("RESOURCE_EXHAUSTED", "full");
      },
    });
    const client = clientOf(driver, { metrics: registry });
    await client.driverName();
    await failureOf(client.controller.createVolume({}));
    await failureOf(clientOf(driver, { metrics: registry }).controller.createVolume({}));
    const counts = (await registry.metrics())
      .split("\n")
      .filter((line) => line.startsWith("csi_sidecar_operations_seconds_count"));
    expect(counts).toEqual([
      countLine("unknown-driver", "Identity/GetPluginInfo", "OK"),
      countLine("test.csi.example.com", "Controller/CreateVolume", "ResourceExhausted"),
      countLine("unknown-driver", "Controller/CreateVolume", "ResourceExhausted"),
    ]);
  });

  it("can be taken by a function instead", async () => {
    const calls: ObservedCall[] = [];
    const client = clientOf(await startedDriver(), { onCall: (call) => void calls.push(call) });
    await client.identity.probe({});
    expect(calls).toEqual([
      { method: "/csi.v1.Identity/Probe", code: "OK", durationMs: expect.any(Number), driverName: undefined },
    ]);
  });

  function countLine(driver: string, method: string, code: string): string {
    const labels = `driver_name="${driver}",method_name="/csi.v1.${method}",grpc_status_code="${code}"`;
    return `csi_sidecar_operations_seconds_count{${labels}} 1`;
  }
});
