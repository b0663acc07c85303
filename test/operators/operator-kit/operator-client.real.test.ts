import { type ClusterCSIDriver, clusterCSIDrivers, StowageError, systemClock } from "@stowage/machinery";
import { createOperatorClient, type OperatorClient, operatorFinalizer } from "@stowage/operator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDriverResource, driverName, ensureOperatorCrds, type KitBench, startKitBench } from "./kit-bench.ts";

let bench: KitBench;
let operator: OperatorClient<ClusterCSIDriver>;

beforeEach(async () => {
  bench = await startKitBench();
  await ensureOperatorCrds(bench);
  await createDriverResource(bench);
  await startOperator();
  bench.requests.length = 0;
});

afterEach(() => bench?.[Symbol.asyncDispose]());

/** As a process that has just begun: it knows nothing of what was applied before. */
async function startOperator(): Promise<void> {
  const { client } = bench.deps;
  await bench.startInformers((informers) => {
    operator = createOperatorClient({
      client,
      informers,
      type: clusterCSIDrivers,
      name: driverName,
      clock: systemClock,
    });
  });
}

const read = () => bench.client.get(clusterCSIDrivers, { name: driverName });
const conditions = async () => {
  const { status } = await read();
  return (status?.conditions ?? []).map(({ type, status: is }) => `${type}=${is}`).toSorted();
};
const stated = (type: string, status: "True" | "False" = "True", message = "") => ({
  type,
  status,
  reason: "R",
  message,
});

describe("status", () => {
  it("is applied by each manager for itself, and what one no longer says goes", async () => {
    await operator.applyStatus("Foo-reportDegraded", { conditions: [stated("FooDegraded"), stated("Old")] });
    await operator.applyStatus("Bar-reportDegraded", { conditions: [stated("BarDegraded", "False")] });
    expect(await conditions()).toEqual(["BarDegraded=False", "FooDegraded=True", "Old=True"]);
    await operator.applyStatus("Foo-reportDegraded", { conditions: [stated("FooDegraded")] });
    expect(await conditions()).toEqual(["BarDegraded=False", "FooDegraded=True"]);
    const managers = (await read()).metadata.managedFields?.map(({ manager, operation, subresource }) =>
      [manager, operation, subresource].join(" "),
    );
    expect(managers).toEqual(
      expect.arrayContaining(["Foo-reportDegraded Apply status", "Bar-reportDegraded Apply status"]),
    );
  });

  it("costs one request, however often the same is said", async () => {
    for (let turn = 0; turn < 5; turn++)
      await operator.applyStatus("Foo", { conditions: [stated("FooDegraded")], version: "4.1" });
    expect(bench.requests).toEqual(["apply clustercsidrivers/status"]);
    await expect.poll(() => operator.informer.objects.get({ name: driverName })?.status?.version).toBe("4.1");
    await operator.applyStatus("Foo", { conditions: [stated("FooDegraded")], version: "4.1" });
    expect(bench.requests).toHaveLength(1);
  });

  it("is not changed by a process that begins anew and says the same", async () => {
    await operator.applyStatus("Foo", { conditions: [stated("FooDegraded")] });
    const before = await read();
    await startOperator();
    await operator.applyStatus("Foo", { conditions: [stated("FooDegraded")] });
    expect((await read()).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it("has generations by object, each controller its own", async () => {
    const generation = (name: string, lastGeneration: number) => ({
      group: "apps",
      resource: "deployments",
      namespace: "n",
      name,
      lastGeneration,
    });
    await operator.applyStatus("A", { generations: [generation("a", 1)] });
    await operator.applyStatus("B", { generations: [generation("b", 1)] });
    await operator.applyStatus("A", { generations: [generation("a", 2)] });
    expect((await read()).status?.generations).toEqual([generation("a", 2), generation("b", 1)]);
  });

  it("is taken from another manager by force, and keeps its time while the status is the same", async () => {
    const condition = { ...stated("FooDegraded"), lastTransitionTime: "2020-01-01T00:00:00Z" };
    const status = { conditions: [condition] };
    await bench.client.apply<ClusterCSIDriver>(
      clusterCSIDrivers,
      { metadata: { name: driverName }, status },
      { fieldManager: "theirs", subresource: "status" },
    );
    await expect.poll(() => operator.current()?.status?.conditions).toHaveLength(1);
    await operator.applyStatus("Foo", { conditions: [stated("FooDegraded", "True", "ours")] });
    expect((await read()).status?.conditions).toEqual([{ ...condition, message: "ours" }]);
  });

  it("does not bring back a resource that was deleted", async () => {
    const known = operator.current();
    expect(known).toBeDefined();
    await bench.client.delete(clusterCSIDrivers, { name: driverName });
    // The local copy may still have it: then it is the server that refuses.
    await expect(operator.applyStatus("Foo", { conditions: [stated("FooDegraded")] })).rejects.toBeInstanceOf(
      StowageError,
    );
    await expect(operator.applyObservedConfig("Foo", { a: "b" })).rejects.toBeInstanceOf(StowageError);
    expect(await bench.client.find(clusterCSIDrivers, { name: driverName })).toBeUndefined();
  });
});

describe("observed configuration", () => {
  it("is merged by manager, and what one no longer observes goes; the rest of the spec stays", async () => {
    await operator.applyObservedConfig("Proxy-ConfigObserver", {
      targetcsiconfig: { proxy: { HTTP_PROXY: "http://p", NO_PROXY: "a" } },
    });
    await operator.applyObservedConfig("Tls-ConfigObserver", {
      targetcsiconfig: { servingInfo: { minTLSVersion: "VersionTLS12", cipherSuites: ["a", "b"] } },
    });
    await operator.applyObservedConfig("Proxy-ConfigObserver", {
      targetcsiconfig: { proxy: { HTTP_PROXY: "http://q" } },
    });
    const { spec } = await read();
    expect(spec).toMatchObject({ managementState: "Managed" });
    expect(spec?.observedConfig).toEqual({
      targetcsiconfig: {
        proxy: { HTTP_PROXY: "http://q" },
        servingInfo: { minTLSVersion: "VersionTLS12", cipherSuites: ["a", "b"] },
      },
    });
    bench.requests.length = 0;
    await operator.applyObservedConfig("Proxy-ConfigObserver", {
      targetcsiconfig: { proxy: { HTTP_PROXY: "http://q" } },
    });
    expect(bench.requests).toEqual([]);
    await operator.applyObservedConfig("Proxy-ConfigObserver", {});
    expect((await read()).spec?.observedConfig).not.toHaveProperty("targetcsiconfig.proxy");
  });
});

it("stale conditions are removed, also those that others applied", async () => {
  await operator.applyStatus("Foo", { conditions: ["A", "B", "C"].map((type) => stated(type)) });
  await operator.removeConditions(["A", "C"]);
  expect(await conditions()).toEqual(["B=True"]);
});

it("finalizers are added and removed beside those of others, also at the same time", async () => {
  const ours = ["A", "B", "C"].map((controller) => operatorFinalizer("kit-operator", controller));
  await Promise.all(ours.map((finalizer) => operator.ensureFinalizer(finalizer)));
  expect((await read()).metadata.finalizers?.toSorted()).toEqual(ours);
  await bench.client.delete(clusterCSIDrivers, { name: driverName });
  await expect.poll(() => operator.current()?.metadata.deletionTimestamp).toBeDefined();
  await Promise.all(ours.map((finalizer) => operator.removeFinalizer(finalizer)));
  await expect.poll(() => bench.client.find(clusterCSIDrivers, { name: driverName })).toBeUndefined();
});
