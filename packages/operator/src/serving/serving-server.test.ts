import { networkInterfaces } from "node:os";
import { Counter, Registry } from "prom-client";
import { afterEach, describe, expect, it, test } from "vitest";
import { type Check, type ServingOptions, type ServingServer, startServing } from "./serving-server.ts";

const servers: ServingServer[] = [];
const hasLoopback6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serving(options: Partial<ServingOptions> = {}): Promise<ServingServer> {
  const registry = new Registry();
  const server = await startServing({
    address: "127.0.0.1:0",
    metricsPath: "/metrics",
    registry,
    checks: {},
    ...options,
  });
  servers.push(server);
  return server;
}

const get = async (server: ServingServer, path: string) => {
  const response = await fetch(`${server.url}${path}`);
  return { status: response.status, type: response.headers.get("content-type"), body: await response.text() };
};

describe("the server of metrics and health checks", () => {
  it("serves the metrics at their path, for Prometheus to read", async () => {
    const registry = new Registry();
    new Counter({ name: "tries_total", help: "Tries", registers: [registry] }).inc(3);
    const server = await serving({ registry, metricsPath: "/figures" });
    const { status, type, body } = await get(server, "/figures?name=x");
    expect([status, type]).toEqual([200, registry.contentType]);
    expect(body).toContain("tries_total 3");
  });

  it.each<[string, Check, number, string]>([
    ["nothing", () => undefined, 200, "ok"],
    ["nothing, later", async () => undefined, 200, "ok"],
    ["a problem", () => "not the leader for 30 s", 500, "not the leader for 30 s"],
    ["a problem with a status", () => ({ status: 404, problem: "no socket" }), 404, "no socket"],
    ["an error", () => Promise.reject(new Error("boom")), 500, "Error: boom"],
  ])("answers a check that says %s", async (_, check, status, body) => {
    const server = await serving({ checks: { "/healthz/leader-election": check } });
    expect(await get(server, "/healthz/leader-election")).toMatchObject({ status, body });
  });

  it("says what there is where there is nothing", async () => {
    const server = await serving({ checks: { "/healthz": () => undefined } });
    expect(await get(server, "/")).toMatchObject({ status: 404, body: "here are /metrics, /healthz\n" });
  });

  it.runIf(hasLoopback6)("listens on IPv6 where it is told so", async () => {
    const server = await serving({ address: "[::1]:0" });
    expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+$/u);
    expect(await get(server, "/metrics")).toMatchObject({ status: 200 });
  });

  test.each(["8080", "host:port", "host:123456", ":70000", ""])("does not start at the address %j", async (address) => {
    await expect(serving({ address })).rejects.toMatchObject({
      code: "SERVING_ADDRESS_UNUSABLE",
      message: expect.stringContaining("host:port") as string,
    });
  });

  it("does not start where another one listens, and says why", async () => {
    const { port } = new URL((await serving()).url);
    await expect(serving({ address: `127.0.0.1:${port}` })).rejects.toMatchObject({
      code: "SERVING_ADDRESS_UNUSABLE",
      message: expect.stringContaining("EADDRINUSE") as string,
    });
  });

  it("closes at once, open connections too", async () => {
    const arrived = Promise.withResolvers<void>();
    const slow = () => {
      arrived.resolve();
      return new Promise<undefined>(() => {});
    };
    const server = await serving({ checks: { "/slow": slow } });
    const pending = fetch(`${server.url}/slow`).then(
      () => "answered",
      () => "cut",
    );
    await arrived.promise;
    await server.close();
    expect(await pending).toBe("cut");
    await expect(fetch(`${server.url}/metrics`)).rejects.toThrow("fetch failed");
  });
});
