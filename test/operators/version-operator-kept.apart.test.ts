import { setTimeout as sleep } from "node:timers/promises";
import {
  clusterOperators,
  clusterRoles,
  clusterVersions,
  configMaps,
  customResourceDefinitions,
  deployments,
  serviceAccounts,
} from "@stowage/machinery";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { isWrite } from "../perf/sidecars/audit-log.ts";
import { isAt, soon, VersionBench } from "./version-operator/version-bench.ts";

let bench: VersionBench;

beforeAll(async () => {
  bench = await VersionBench.start();
}, 600_000);
afterEach(() => bench?.forget());
afterAll(() => bench?.[Symbol.asyncDispose]());

/** Every object is looked at within two seconds. */
const often = "--reconcile-period=2s";

const progressing = () => bench.condition("Progressing");

describe("a cluster that is at its version", () => {
  it("is put right when users change or delete what is the payload's, and keeps what they add", async () => {
    const name = "edited";
    await bench.installed(name, { flags: [often] });
    const ref = { namespace: name, name };
    const labels = { mine: "yes" };
    const containers = [{ name: "operator", image: "mine" }];
    const patch = { metadata: { labels }, spec: { template: { spec: { containers } } } };
    await bench.client.patch(deployments, ref, { type: "strategic", patch });
    await bench.client.delete(configMaps, { namespace: name, name: "version" });
    await bench.client.patch(clusterRoles, { name }, { type: "merge", patch: { rules: [] } });
    await bench.client.delete(clusterOperators, { name });
    await bench.client.delete(clusterVersions, { name: "version" });
    await expect.poll(() => bench.imageOf(name), soon).toBe(`registry.test/${name}:1.0.0`);
    await expect.poll(() => bench.configOf(name, "version"), soon).toEqual({ version: "1.0.0" });
    await expect.poll(async () => (await bench.client.get(clusterRoles, { name })).rules, soon).toHaveLength(1);
    await expect.poll(() => bench.client.find(clusterOperators, { name }), soon).toBeDefined();
    expect((await bench.client.get(deployments, ref)).metadata.labels).toEqual(labels);
    await bench.report(name, "1.0.0");
    await expect.poll(progressing, soon).toBe(isAt("1.0.0"));
    expect(await bench.history()).toEqual(["1.0.0 Completed"]);
  });

  it("is left alone where spec.overrides says so, for as long as it does", async () => {
    const name = "override";
    await bench.installed(name, { flags: [often] });
    const override = { kind: "ConfigMap", group: "", namespace: name, name: "version", unmanaged: true };
    await setOverrides([override]);
    await expect
      .poll(() => bench.condition("Upgradeable"), soon)
      .toContain("Upgradeable=False ClusterVersionOverridesSet");
    await bench.client.patch(
      configMaps,
      { namespace: name, name: "version" },
      { type: "merge", patch: { data: { version: "mine" } } },
    );
    await bench.client.patch(
      configMaps,
      { namespace: name, name: "settings" },
      { type: "merge", patch: { data: { seen: "yes" } } },
    );
    await bench.client.delete(serviceAccounts, { namespace: name, name });
    // All is looked at once when what comes first has been put right twice.
    await expect.poll(() => bench.client.find(serviceAccounts, { namespace: name, name }), soon).toBeDefined();
    await bench.client.delete(serviceAccounts, { namespace: name, name });
    await expect.poll(() => bench.client.find(serviceAccounts, { namespace: name, name }), soon).toBeDefined();
    expect(await bench.configOf(name, "version")).toEqual({ version: "mine" });
    await setOverrides(null);
    await expect.poll(() => bench.configOf(name, "version"), soon).toEqual({ version: "1.0.0" });
    await expect.poll(() => bench.condition("Upgradeable"), soon).toBe("no Upgradeable");
  });

  it("has its resources back when somebody deletes their definitions", async () => {
    const name = "vanished";
    await bench.installed(name);
    const { uid } = (await bench.client.get(clusterOperators, { name })).metadata;
    for (const type of [clusterOperators, clusterVersions]) {
      await bench.client.delete(customResourceDefinitions, { name: `${type.plural}.${type.group}` });
    }
    const uidNow = async () =>
      (await bench.client.find(clusterOperators, { name }).catch(() => undefined))?.metadata.uid;
    await expect.poll(async () => ![uid, undefined].includes(await uidNow()), soon).toBe(true);
    await bench.report(name, "1.0.0");
    await expect.poll(progressing, soon).toBe(isAt("1.0.0"));
    expect(await bench.history()).toEqual(["1.0.0 Completed"]);
  });

  it("is looked at with few requests and no writes", async () => {
    const beganMs = Date.now();
    await bench.installed("idle");
    // What a start has to tell is told a moment later.
    const isTold = async () => {
      const requests = await bench.audit.requests({ fromMs: beganMs, toMs: Date.now() });
      const writes = requests.filter((request) => isWrite(request) && request.resource !== "leases");
      const isStillWriting = writes.some(({ receivedMs }) => receivedMs > Date.now() - 3_000);
      return writes.some(({ resource }) => resource === "events") && !isStillWriting;
    };
    await expect.poll(isTold, soon).toBe(true);
    const fromMs = Date.now();
    await sleep(30_000);
    const requests = await bench.audit.requests({ fromMs, toMs: Date.now() });
    const others = requests.filter(({ resource }) => resource !== "leases");
    console.log(
      `idle: ${others.length} requests in 30 s for 8 objects; watches: ${(await bench.audit.openWatches()).join(", ")}`,
    );
    expect(others.filter(isWrite)).toEqual([]);
    expect(others.length).toBeLessThanOrEqual(3);
  });
});

async function setOverrides(overrides: readonly object[] | null): Promise<void> {
  await bench.client.patch(clusterVersions, { name: "version" }, { type: "merge", patch: { spec: { overrides } } });
}
