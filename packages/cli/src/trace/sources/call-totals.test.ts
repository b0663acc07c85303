import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { callMetrics } from "@stowage/csi";
import { createTransport } from "@stowage/kube";
import type { Pod } from "@stowage/machinery";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { callTotals, proxiedMetrics, totalsIn } from "./call-totals.ts";

async function measured(): Promise<string> {
  const registry = new Registry();
  const observe = callMetrics(registry);
  const driverName = "a.csi.test";
  observe({ driverName, method: "/csi.v1.Controller/CreateVolume", code: "OK", durationMs: 250 });
  observe({ driverName, method: "/csi.v1.Controller/CreateVolume", code: "OK", durationMs: 500 });
  observe({ driverName, method: "/csi.v1.Controller/CreateVolume", code: "RESOURCE_EXHAUSTED", durationMs: 10 });
  return await registry.metrics();
}

it("adds up what a sidecar has measured", async () => {
  expect(totalsIn(await measured(), "storage/controller")).toEqual([
    { pod: "storage/controller", method: "CreateVolume", code: "OK", count: 2, seconds: 0.75 },
    { pod: "storage/controller", method: "CreateVolume", code: "ResourceExhausted", count: 1, seconds: 0.01 },
  ]);
});

const pod = (name: string): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { namespace: "storage", name },
  spec: {
    containers: [
      {
        name: "sidecar",
        ports: [
          { name: "http-endpoint", containerPort: 8080 },
          { name: "x", containerPort: 1 },
        ],
      },
    ],
  },
});

it("asks through the API server's proxy, and says which Pods could not be asked", async () => {
  const metrics = await measured();
  const paths: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    paths.push(url);
    const isKnown = url === "/api/v1/namespaces/storage/pods/good:8080/proxy/metrics";
    response.writeHead(isKnown ? 200 : 503).end(isKnown ? metrics : "no");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const transport = createTransport({
    server: `http://127.0.0.1:${port}`,
    namespace: "n",
    origin: "a test",
    tls: {},
    credentials: {},
  });
  try {
    const read = proxiedMetrics(transport, new AbortController().signal);
    const { totals, unread } = await callTotals([pod("good"), pod("bad")], read);
    expect(totals).toHaveLength(2);
    expect(unread).toEqual(["metrics of Pod storage/bad, port 8080: not reachable"]);
    expect(paths).toContain("/api/v1/namespaces/storage/pods/https:bad:8080/proxy/metrics");
  } finally {
    transport.close();
    server.close();
  }
});
