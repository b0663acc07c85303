import { storageClasses } from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { driverRestarts, endedSince, expectDriverAtWork } from "../up/stowage-up/driver-calm.ts";
import { leftOf } from "../up/stowage-up/machine-state.ts";
import { PlayedCluster, ready } from "../up/stowage-up/played-cluster.ts";
import type { RunningCommand } from "../up/stowage-up/running-up.ts";

// The one cloud whose operator looks at it before it installs anything: the simulated vCenter is asked all that a real one is.

const LONG_MS = 600_000;
const vsphere = "csi.vsphere.vmware.com";

describe("stowage up --platform vsphere", () => {
  const cluster = new PlayedCluster("embedded");
  let up: RunningCommand;

  beforeAll(async () => {
    up = cluster.up("--platform", "vsphere");
    await up.said(ready);
  }, LONG_MS);
  afterAll(() => cluster[Symbol.asyncDispose](), LONG_MS);

  it("is well, with a class by the policy that vCenter has, and a Pod that has written", {
    timeout: LONG_MS,
  }, async () => {
    const before = await cluster.asking(driverRestarts);
    const { provisioner, parameters } = await cluster.asking((client) =>
      client.get(storageClasses, { name: "thin-csi" }),
    );
    expect([provisioner, parameters]).toEqual([vsphere, { StoragePolicyName: "openshift-storage-policy-stowage" }]);
    expect((await cluster.ask("explain", "pvc", "data", "--namespace", "demo")).exitCode).toBe(0);
    await cluster.asking((client) => expectDriverAtWork(client, vsphere, 10_300));
    await expect.poll(async () => (await cluster.ask("status")).exitCode, { timeout: LONG_MS / 2 }).toBe(0);
    expect(await cluster.asking((client) => endedSince(client, before))).toEqual([]);
  });

  it("goes on where it was, and leaves nothing", { timeout: LONG_MS }, async () => {
    expect((await cluster.end("down")).exitCode).toBe(0);
    expect((await up.ended()).exitCode).toBe(0);
    up = cluster.up("--platform", "vsphere");
    await up.said(ready);
    expect((await cluster.end("down")).exitCode).toBe(0);
    expect((await up.ended()).exitCode).toBe(0);
    expect(leftOf(cluster.stateDir)).toEqual([]);
  });
});
