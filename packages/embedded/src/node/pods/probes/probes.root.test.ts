import { readdirSync, readFileSync } from "node:fs";
import { createServer as createHttpServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Container } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PodNode } from "../fixtures/pod-node.ts";

const serving = "trap 'exit 0' TERM; while :; do sleep 0.05; done";
/** With all the time that a busy machine may need for one. */
const often = { periodSeconds: 1, failureThreshold: 1, timeoutSeconds: 60 };
const fileThere = (path: string) => ({ exec: { command: ["cat", path] }, ...often });
let node: PodNode;
let server: Server | undefined;

beforeEach(async () => {
  node = await PodNode.start();
});

afterEach(async () => {
  server?.close();
  server = undefined;
  await node.stop();
});

const eventsOf = (reason: string) =>
  node.events.events.filter((event) => event.reason === reason).map(({ message }) => message);
const isReady = async (name: string) => (await node.status(name))?.ready;
const condition = async (name: string, wanted: string) =>
  (await node.pod(name)).status?.conditions?.find(({ type }) => type === wanted)?.status;

async function run(name: string, container: string, script: string): Promise<void> {
  const found = node.runtime
    .list()
    .find(({ labels, exit }) => labels.podName === name && labels.containerName === container && exit === undefined);
  const quiet = { writeStdout: async () => {}, writeStderr: async () => {} };
  expect(await found?.run(["sh", "-c", script], quiet, AbortSignal.timeout(60_000))).toBe(0);
}

const sleepers = () =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandOf(pid) === "sleep\u00004711\u0000");

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // It has just ended.
  }
}

describe("a readiness probe", () => {
  it("says when a container is ready, and when it is not any more", async () => {
    await node.create("web", serving, {}, { readinessProbe: fileThere("/tmp/ready") });
    await expect.poll(() => node.phase("web")).toBe("Running");
    expect(await node.status("web")).toMatchObject({ ready: false, started: true });
    expect(await condition("web", "Ready")).toBe("False");
    await expect
      .poll(() => eventsOf("Unhealthy"))
      .toContain("Readiness probe failed: cat: /tmp/ready: No such file or directory\n");
    await run("web", "main", "touch /tmp/ready");
    await expect.poll(() => isReady("web")).toBe(true);
    await expect.poll(() => condition("web", "Ready")).toBe("True");
    await run("web", "main", "rm /tmp/ready");
    await expect.poll(() => isReady("web")).toBe(false);
    expect((await node.status("web"))?.restartCount).toBe(0);
  });

  it("goes on while its container ends", async () => {
    const preStop = { exec: { command: ["sh", "-c", "rm /tmp/ready; until [ -e /tmp/go ]; do sleep 0.05; done"] } };
    const script = `touch /tmp/ready; ${serving}`;
    await node.create("web", script, {}, { readinessProbe: fileThere("/tmp/ready"), lifecycle: { preStop } });
    await expect.poll(() => isReady("web")).toBe(true);
    await node.delete("web", 600);
    await expect.poll(() => isReady("web")).toBe(false);
    expect(await node.status("web")).toMatchObject({ state: { running: {} } });
    await run("web", "main", "touch /tmp/go");
    await expect.poll(() => node.isGone("web")).toBe(true);
  });

  it("is asked of a server, with the headers that it wants, at a port by its name", async () => {
    const asked: string[] = [];
    server = createHttpServer((request, response) => {
      const { "user-agent": agent, "x-who": who } = request.headers;
      asked.push([request.url, agent, who].join(" "));
      response.end("fine");
    }).listen(0);
    const { port } = server.address() as AddressInfo;
    const httpGet = { path: "/healthz?deep=1", port: "web", httpHeaders: [{ name: "X-Who", value: "me" }] };
    const ports = [{ name: "web", containerPort: port }];
    await node.create("web", serving, {}, { ports, readinessProbe: { httpGet, ...often } });
    await expect.poll(() => isReady("web")).toBe(true);
    expect(asked[0]).toBe("/healthz?deep=1 kube-probe/1.36 me");
  });

  it("waits for conditions of others too, where its Pod says so", async () => {
    await node.create("gated", serving, { readinessGates: [{ conditionType: "shop.dev/open" }] });
    await expect.poll(() => isReady("gated")).toBe(true);
    expect(await condition("gated", "ContainersReady")).toBe("True");
    expect(await condition("gated", "Ready")).toBe("False");
  });
});

describe("a liveness probe", () => {
  it("that fails has its container started anew, and says so", async () => {
    const livenessProbe = { ...fileThere("/tmp/alive"), terminationGracePeriodSeconds: 1 };
    const script = "touch /tmp/alive; sleep 1000";
    await node.create("web", script, { restartPolicy: "Always" }, { livenessProbe });
    await expect.poll(() => isReady("web")).toBe(true);
    await run("web", "main", "rm /tmp/alive");
    await expect.poll(async () => (await node.status("web"))?.restartCount).toBe(1);
    await expect
      .poll(() => node.status("web"))
      .toMatchObject({ state: { running: {} }, lastState: { terminated: { exitCode: 137, reason: "Error" } } });
    expect(eventsOf("Unhealthy")).toContain("Liveness probe failed: cat: /tmp/alive: No such file or directory\n");
    expect(eventsOf("Killing")).toEqual(["Container main failed liveness probe, will be restarted"]);
  });

  it("whose command is not there counts as nothing", async () => {
    const livenessProbe = { exec: { command: ["no-such"] }, ...often };
    await node.create("web", serving, { restartPolicy: "Always" }, { livenessProbe });
    await expect
      .poll(() => eventsOf("Unhealthy"))
      .toContainEqual(expect.stringMatching(/^Liveness probe errored and resulted in unknown state: .*"no-such"/));
    expect(await node.status("web")).toMatchObject({ restartCount: 0, ready: true });
  });

  it("that takes too long has failed, and what it ran is ended", async () => {
    const livenessProbe = { exec: { command: ["sleep", "4711"] }, periodSeconds: 1, failureThreshold: 100 };
    await node.create("web", serving, {}, { livenessProbe });
    const timedOut = 'Liveness probe failed: command timed out: "sleep 4711" timed out after 1s';
    await expect.poll(() => eventsOf("Unhealthy")).toContain(timedOut);
    // One may be under way, and no more: the others have been ended.
    await expect.poll(() => eventsOf("Unhealthy").length).toBeGreaterThan(2);
    await expect.poll(() => sleepers().length).toBeLessThan(2);
    await node.delete("web", 1);
    await expect.poll(() => node.isGone("web")).toBe(true);
  });
});

describe("a startup probe", () => {
  it("holds the others back, and what comes after a sidecar", async () => {
    const sidecar: Container = {
      name: "helper",
      image: "any",
      restartPolicy: "Always",
      command: ["sh", "-c", serving],
      startupProbe: { ...fileThere("/tmp/up"), failureThreshold: 100 },
    };
    await node.create("web", serving, { initContainers: [sidecar] });
    await expect.poll(async () => (await node.status("web", "helper"))?.state?.running).toBeDefined();
    await expect
      .poll(() => eventsOf("Unhealthy"))
      .toContain("Startup probe failed: cat: /tmp/up: No such file or directory\n");
    expect(await node.status("web", "helper")).toMatchObject({ started: false, ready: false });
    expect(await node.status("web", "main")).toMatchObject({ state: { waiting: { reason: "PodInitializing" } } });
    expect(await node.phase("web")).toBe("Pending");
    await run("web", "helper", "touch /tmp/up");
    await expect.poll(() => node.phase("web")).toBe("Running");
    expect(await node.status("web", "helper")).toMatchObject({ started: true, ready: true });
  });
});
