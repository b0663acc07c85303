import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { choosePorts, requireFreePort } from "./ports.ts";

describe("the lab's ports", () => {
  it("are all different and below those of outgoing connections and NodePorts", async () => {
    const ports = Object.values(await choosePorts());
    expect(new Set(ports).size).toBe(ports.length);
    expect(ports.every((port) => port >= 20_000 && port < 30_000)).toBe(true);
  });

  it("are refused by name when another process has taken one", async () => {
    // Of its own, so that nobody takes the port when it is free again.
    const host = "127.31.7.5";
    const server = createServer().listen(0, host);
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    await expect(requireFreePort(port, host, "etcd")).rejects.toThrow(`etcd cannot listen on ${host}:${port}`);
    await new Promise((resolve) => server.close(resolve));
    await expect(requireFreePort(port, host, "etcd")).resolves.toBeUndefined();
  });
});
