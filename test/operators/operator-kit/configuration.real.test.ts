import { isNotFound, type KubeClient } from "@stowage/kube";
import {
  apiServers,
  type Proxy as ClusterProxy,
  clusterCSIDrivers,
  customResourceDefinitions,
  infrastructures,
  proxies,
} from "@stowage/machinery";
import {
  clusterFactsSource,
  configObserverController,
  driverProxyPath,
  driverServingInfoPath,
  proxyObserver,
  tlsObserver,
} from "@stowage/operator";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { driverName } from "./kit-bench.ts";
import { installPlatformCrds, type OperatorBench, startOperatorBench } from "./operator-bench.ts";

let bench: OperatorBench;

beforeEach(async () => {
  bench = await startOperatorBench();
});

afterEach(() => bench?.[Symbol.asyncDispose]());

function observer() {
  const { deps } = bench;
  return configObserverController(deps, {
    name: "Kit",
    observers: [proxyObserver(deps, driverProxyPath), tlsObserver(deps, driverServingInfoPath)],
  });
}

const observed = async () => (await bench.readDriver())?.spec.observedConfig as Record<string, object> | undefined;
const tlsVersion = expect.objectContaining({ minTLSVersion: "VersionTLS12" });

async function removeDefinitions(client: KubeClient): Promise<void> {
  const names = [proxies, apiServers, infrastructures].map(({ plural, group }) => `${plural}.${group}`);
  for (const name of names) {
    await client.delete(customResourceDefinitions, { name }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    await vi.waitFor(async () => expect(await client.find(customResourceDefinitions, { name })).toBeUndefined(), {
      timeout: 30_000,
    });
  }
  bench.kit.mapper.invalidate();
}

async function setProxy(status: ClusterProxy["status"]): Promise<void> {
  const { client } = bench.kit;
  const existing = await client.find(proxies, { name: "cluster" });
  if (existing === undefined) await client.create(proxies, { metadata: { name: "cluster" }, spec: {} });
  bench.kit.willDelete(proxies, "cluster");
  const patch = { status };
  await client.patch(proxies, { name: "cluster" }, { type: "merge", patch }, { subresource: "status" });
}

describe("the configuration of a cluster", () => {
  it("is observed where there is any, and from the moment when there is", async () => {
    await removeDefinitions(bench.kit.client);
    const controller = observer();
    bench.start(controller);
    await expect.poll(observed).toEqual({ targetcsiconfig: { servingInfo: tlsVersion } });
    const facts = await clusterFactsSource(bench.deps).current(new AbortController().signal);
    expect(facts).toMatchObject({ platform: "None", isLocal: false });
    expect(facts.clusterId).toMatch(/^[0-9a-f-]{36}$/);

    await installPlatformCrds(bench.kit);
    await setProxy({ httpProxy: "http://user:secret@proxy:3128", noProxy: "a" });
    controller.trigger();
    const proxy = { HTTP_PROXY: "http://user:secret@proxy:3128", NO_PROXY: "a" };
    await expect.poll(observed).toEqual({ targetcsiconfig: { servingInfo: tlsVersion, proxy } });
    await setProxy({ httpProxy: null as never, noProxy: "b" });
    await expect.poll(observed).toEqual({ targetcsiconfig: { servingInfo: tlsVersion, proxy: { NO_PROXY: "b" } } });
    expect(bench.kit.eventLines.filter((line) => line.includes("ObservedConfigChanged"))).toHaveLength(3);
    expect(bench.kit.eventLines.join("\n")).not.toContain("secret");
    expect(await bench.conditions()).toEqual(["ConfigObservationDegraded=False/"]);
  });

  it("that another operator had observed goes when it is no longer so, and what is not ours stays", async () => {
    const observedConfig = { targetcsiconfig: { proxy: { HTTP_PROXY: "http://old" } }, theirs: { kept: true } };
    const patch = { spec: { observedConfig } };
    const options = { fieldManager: "original" };
    await bench.kit.client.patch(clusterCSIDrivers, { name: driverName }, { type: "merge", patch }, options);
    await expect.poll(() => bench.operator.current()?.spec.observedConfig).toBeDefined();
    bench.start(observer());
    await expect.poll(observed).toEqual({ targetcsiconfig: { servingInfo: tlsVersion }, theirs: { kept: true } });
  });

  it("costs two writes, and none when nothing changes", async () => {
    const { deps } = bench;
    let looks = 0;
    const proxy = proxyObserver(deps, driverProxyPath);
    const observe = async (signal: AbortSignal) => {
      looks++;
      return proxy.observe(signal);
    };
    const observers = [{ ...proxy, observe }, tlsObserver(deps, driverServingInfoPath)];
    const controller = configObserverController(deps, { name: "Kit", observers });
    bench.start(controller);
    await expect.poll(bench.conditions).toEqual(["ConfigObservationDegraded=False/"]);
    // When it looks for the second time from here, the first time is over.
    for (let turn = 0; turn < 2; turn++) {
      const before = looks;
      controller.trigger();
      await expect.poll(() => looks).toBeGreaterThan(before);
    }
    expect(bench.kit.requests).toEqual(["apply clustercsidrivers", "apply clustercsidrivers/status"]);
  });
});
