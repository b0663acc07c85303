import { existsSync, statSync } from "node:fs";
import { persistentVolumeClaims } from "@stowage/machinery";
import { afterAll, describe, expect, it } from "vitest";
import { leftOf, listeningAddresses, processesOf } from "./stowage-up/machine-state.ts";
import { type ControlPlane, PlayedCluster, ready } from "./stowage-up/played-cluster.ts";
import type { RunningCommand } from "./stowage-up/running-up.ts";

// One walk from `up` to `reset`; what else it can do, `stowage-up-control-plane` and its neighbours show.

const controlPlanes: readonly ControlPlane[] = ["embedded", "kubernetes"];

describe.each(controlPlanes)("stowage up --control-plane %s", (controlPlane) => {
  const cluster = new PlayedCluster(controlPlane);
  let up: RunningCommand;
  let firstLine: string | undefined;

  afterAll(() => cluster[Symbol.asyncDispose]());

  it("comes up to a Pod that has written on its volume", async () => {
    up = cluster.up();
    await up.said(ready);
    [firstLine] = cluster.written(await cluster.readPod("writer"));
    expect(firstLine).toMatch(/\d\d:\d\d:\d\d/u);
    const place = { namespace: "demo", name: "data" };
    const claim = await cluster.asking((client) => client.get(persistentVolumeClaims, place));
    expect(claim.status?.phase).toBe("Bound");
  });

  it("listens on the loopback alone, and its kubeconfig is its owner's", () => {
    const addresses = listeningAddresses(processesOf(cluster.stateDir));
    expect(addresses.length).toBeGreaterThan(5);
    expect(addresses.filter((address) => !address.startsWith("127."))).toEqual([]);
    expect(statSync(cluster.kubeconfigPath).mode & 0o777).toBe(0o600);
  });

  it("is well in the eyes of status and explain", async () => {
    await expect.poll(async () => (await cluster.ask("status")).exitCode).toBe(0);
    const explained = await cluster.ask("explain", "pvc", "data", "--namespace", "demo");
    expect(explained).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Nothing is wrong") });
  });

  it("leaves nothing that runs after stowage down, and finds its volume again", async () => {
    expect((await cluster.end("down")).exitCode).toBe(0);
    expect((await up.ended()).exitCode).toBe(0);
    expect(leftOf(cluster.stateDir)).toEqual([]);
    up = cluster.up();
    await up.said(ready);
    expect(cluster.written(await cluster.readPod("writer"))[0]).toBe(firstLine);
  });

  it("is gone after stowage reset", async () => {
    expect((await cluster.end("down")).exitCode).toBe(0);
    expect((await up.ended()).exitCode).toBe(0);
    expect((await cluster.end("reset")).exitCode).toBe(0);
    expect(existsSync(cluster.stateDir)).toBe(false);
  });
});
