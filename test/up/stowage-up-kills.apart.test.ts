import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pods } from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { containerProcesses } from "./stowage-up/container-processes.ts";
import { leftOf, processesOf } from "./stowage-up/machine-state.ts";
import { type ControlPlane, PlayedCluster, ready } from "./stowage-up/played-cluster.ts";
import type { RunningCommand } from "./stowage-up/running-up.ts";

// Whatever is killed while a cluster comes up, and whenever: it comes up, by the same `up` or by the next one.

/** Some of them, from the first to the last. */
const steps = ["cluster", "storage-operator", "driver", "claim", "available"];

/** All that there are but the second and third of proxies of the same name. */
const containers = [
  "version-operator",
  "cluster-storage-operator",
  "kube-rbac-proxy",
  "stowage-local-csi-driver-operator",
  "csi-driver",
  "csi-sidecars",
  "kube-rbac-proxy-8231",
  "sidecars-kube-rbac-proxy",
  "snapshot-controller",
  "writer",
];

/** Of seven starts, on a machine that has other work. */
const LONG_MS = 900_000;
const LOOK_MS = 50;
const controlPlanes: readonly ControlPlane[] = ["embedded", "kubernetes"];

describe.each(controlPlanes)("stowage up --control-plane %s", (controlPlane) => {
  const cluster = new PlayedCluster(controlPlane);
  const { stateDir } = cluster;
  let up: RunningCommand;

  afterAll(() => cluster[Symbol.asyncDispose](), LONG_MS);

  const isDemoWritten = async () => cluster.written(await cluster.readPod("writer")).length > 0;

  it("ends well when it was killed at its beginning, and at one step after another", { timeout: LONG_MS }, async () => {
    up = cluster.up();
    await until(up, () => existsSync(join(stateDir, "up.json")));
    await killed(up);
    for (const step of steps) {
      up = cluster.up("--output", "json");
      await up.said(`"step":"${step}"`);
      await killed(up);
    }
    up = cluster.up();
    await up.said(ready);
    expect(await isDemoWritten()).toBe(true);
  });

  it("ends well when all of it was killed at once, and another has its port by then", {
    timeout: LONG_MS,
  }, async () => {
    const port = Number(readFileSync(join(stateDir, "port"), "utf8"));
    for (const { pid } of processesOf(stateDir)) kill(pid);
    for (const { pid } of containerProcesses(stateDir)) kill(pid);
    await up.ended();
    await expect.poll(() => processesOf(stateDir)).toEqual([]);
    // A socket outlives whoever listened at it.
    const node = join(stateDir, "cluster", "nodes", "node-1");
    expect(existsSync(join(node, "plugins", "local.csi.stowage.dev", "csi.sock"))).toBe(true);
    const other = await listening(port);
    up = cluster.up("--output", "json");
    await up.said('"ready":true');
    other.close();
    expect(up.stdout).not.toContain(`127.0.0.1:${port}"`);
    expect(await isDemoWritten()).toBe(true);
  });

  describe("from nothing", () => {
    beforeAll(async () => {
      expect((await cluster.end("reset")).exitCode).toBe(0);
      await up.ended();
      expect(leftOf(stateDir)).toEqual([]);
    }, LONG_MS);

    it("comes up although each of its processes is killed once on the way", { timeout: LONG_MS }, async () => {
      up = cluster.up("--output", "json");
      await up.said('"step":"cluster"');
      const left = new Set(containers);
      await until(up, () => {
        for (const { name, pid } of containerProcesses(stateDir)) if (left.has(name) && kill(pid)) left.delete(name);
        return left.size === 0;
      });
      // Not while definitions are made: one that a kube-apiserver has named but not served when it is killed is never served by the next.
      if (controlPlane === "kubernetes") for (const { pid } of controlProcesses(stateDir)) kill(pid);
      await up.said('"ready":true');
      await expect.poll(() => cluster.asking(unreadyContainers), { timeout: 240_000 }).toEqual([]);
      expect(await isDemoWritten()).toBe(true);
      expect((await cluster.end("down")).exitCode).toBe(0);
      expect((await up.ended()).exitCode).toBe(0);
      expect(leftOf(stateDir)).toEqual([]);
    });
  });
});

describe("stowage up --control-plane kubernetes, from nothing", () => {
  const cluster = new PlayedCluster("kubernetes");
  afterAll(() => cluster[Symbol.asyncDispose](), LONG_MS);

  it("names the process that ended while it started, and leaves none", { timeout: LONG_MS }, async () => {
    const up = cluster.up();
    await until(up, () =>
      controlProcesses(cluster.stateDir).some(({ name, pid }) => name === "kube-apiserver" && kill(pid)),
    );
    const { exitCode, stderr } = await up.ended();
    expect(exitCode).toBe(1);
    expect(stderr).toContain("kube-apiserver ended while it was starting");
    expect(leftOf(cluster.stateDir)).toEqual([]);
  });
});

async function killed(up: RunningCommand): Promise<void> {
  up.kill("SIGKILL");
  await up.ended();
}

/** Looks until it is so; rejects when `up` ends before. */
async function until(up: RunningCommand, isSo: () => boolean): Promise<void> {
  let hasEnded = false;
  const noted = up.ended().then(() => (hasEnded = true));
  while (!isSo()) {
    if (hasEnded) throw new Error(`it ended: ${up.stdout}${up.stderr}`);
    await Promise.race([sleep(LOOK_MS), noted]);
  }
}

/** A killed process has its ports until the last of its threads has ended. */
async function listening(port: number): Promise<Server> {
  for (;;) {
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
      return server;
    } catch {
      await sleep(LOOK_MS);
    }
  }
}

/** False when it is gone already. */
function kill(pid: number): boolean {
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}

interface ControlProcess {
  readonly name: string;
  readonly pid: number;
}

/** Of the real control plane, those that run. */
function controlProcesses(stateDir: string): ControlProcess[] {
  const folder = join(stateDir, "cluster", "kubernetes");
  const names = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"];
  const all = processesOf(folder);
  return names.flatMap((name) =>
    all.filter(({ words }) => words.split(" ", 1)[0]?.endsWith(`/${name}`)).map(({ pid }) => ({ name, pid })),
  );
}

async function unreadyContainers(client: Parameters<Parameters<PlayedCluster["asking"]>[0]>[0]): Promise<string[]> {
  const { items } = await client.list(pods);
  return items.flatMap(({ metadata, status }) =>
    (status?.containerStatuses ?? [])
      .filter(({ ready: isReady }) => !isReady)
      .map(({ name }) => `${metadata.namespace}/${metadata.name} ${name}`),
  );
}
