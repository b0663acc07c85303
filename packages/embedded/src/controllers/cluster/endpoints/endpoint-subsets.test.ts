import type { EndpointSubset } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { service, servingPod } from "../fixtures/cluster-objects.ts";
import { desiredSubsets, truncatedSubsets } from "./endpoint-subsets.ts";
import { desiredEndpoints } from "./endpoints-controller.ts";
import { inEndpointsOrder, inSliceOrder } from "./port-order.ts";
import { TriggerTimes } from "./trigger-times.ts";

const targetRef = (name: string) => ({ kind: "Pod", namespace: "shop", name, uid: `uid-of-${name}` });

describe("the addresses of a Service", () => {
  it("are those of its Pods, ready or not, in order", () => {
    const pods = [servingPod("b", "10.1.0.2"), servingPod("a", "10.1.0.1"), servingPod("c", "10.1.0.3", false)];
    expect(desiredSubsets(service(), pods)).toEqual([
      {
        addresses: [
          { ip: "10.1.0.1", nodeName: "node-1", targetRef: targetRef("a") },
          { ip: "10.1.0.2", nodeName: "node-1", targetRef: targetRef("b") },
        ],
        notReadyAddresses: [{ ip: "10.1.0.3", nodeName: "node-1", targetRef: targetRef("c") }],
        ports: [{ name: "http", port: 8080, protocol: "TCP" }],
      },
    ]);
  });

  it("are none on the loopback, which the API refuses", () => {
    const pods = [servingPod("a", "127.0.0.1"), servingPod("b", "127.64.0.1"), servingPod("c", "10.1.0.1")];
    expect(desiredSubsets(service(), pods).flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip))).toEqual([
      "10.1.0.1",
    ]);
  });

  it("are apart where Pods have other ports", () => {
    const listening = (port: number) => ({
      nodeName: "node-1",
      containers: [{ name: "main", ports: [{ name: "web", containerPort: port }] }],
    });
    const named = service({ ports: [{ name: "http", port: 80, targetPort: "web", protocol: "TCP" }] });
    const pods = [8080, 9090].map((port) =>
      servingPod(`pod-${port}`, `10.1.0.${port % 100}`, true, { spec: listening(port) }),
    );
    const subsets = desiredSubsets(named, [...pods, servingPod("none", "10.1.0.3")]);
    expect(subsets.map(({ ports }) => ports?.map(({ port }) => port))).toEqual([[8080], [9090]]);
  });

  it("need no ports in a headless Service, and lead nowhere in any other without", () => {
    const pods = [servingPod("a", "10.1.0.1")];
    expect(desiredSubsets(service({ clusterIP: "None", ports: [] }), pods)).toEqual([
      { addresses: [{ ip: "10.1.0.1", nodeName: "node-1", targetRef: targetRef("a") }] },
    ]);
    expect(desiredSubsets(service({ ports: [] }), pods)).toEqual([]);
  });

  it("are cut down to a thousand, those that are not ready first", () => {
    const addresses = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ ip: `10.1.${at >> 8}.${at & 255}` }));
    const counts = (subsets: EndpointSubset[] | undefined) =>
      subsets?.map((subset) => [subset.addresses?.length ?? 0, subset.notReadyAddresses?.length ?? 0]);
    expect(truncatedSubsets([{ addresses: addresses(1000) }])).toBeUndefined();
    expect(counts(truncatedSubsets([{ addresses: addresses(900), notReadyAddresses: addresses(200) }]))).toEqual([
      [900, 100],
    ]);
    const two = [{ addresses: addresses(1500), notReadyAddresses: addresses(1) }, { addresses: addresses(500) }];
    expect(counts(truncatedSubsets(two))).toEqual([
      [750, 0],
      [250, 0],
    ]);
  });
});

test("endpoints that are as they should be are not written", () => {
  const pods = [servingPod("a", "10.1.0.1")];
  const written = desiredEndpoints(service(), pods, undefined, "2026-01-01T00:00:00Z");
  expect(written?.metadata.annotations).toEqual({
    "endpoints.kubernetes.io/last-change-trigger-time": "2026-01-01T00:00:00Z",
  });
  expect(desiredEndpoints(service(), pods, written, undefined)).toBeUndefined();
  const changed = desiredEndpoints(service({}, { tier: "front" }), pods, written, undefined);
  expect(changed?.metadata.labels).toEqual({
    tier: "front",
    "endpoints.kubernetes.io/managed-by": "endpoint-controller",
  });
  expect(changed?.metadata.annotations).toEqual({});
});

test("ports come in the order that Kubernetes writes them in", () => {
  const names = ["http", "https", "metrics", "admin", "grpc"];
  const numbered = names.map((name, at) => ({ name, port: 8080 + at, protocol: "TCP" }));
  const ports = [...numbered, { name: "dns", port: 53, protocol: "UDP", appProtocol: "example.org/dns" }];
  const named = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);
  expect(named(inSliceOrder(ports))).toEqual(["http", "grpc", "https", "admin", "dns", "metrics"]);
  expect(named(inEndpointsOrder(ports))).toEqual(["http", "https", "dns", "metrics", "admin", "grpc"]);
});

test("the time of a change is the Service's at first, and then of the Pods that changed", () => {
  const times = new TriggerTimes();
  expect(times.next("shop/web", service(), [])).toBe("2026-01-01T00:00:00Z");
  expect(times.next("shop/web", service(), [])).toBeUndefined();
  const pods = [servingPod("a", "10.1.0.1")];
  expect(times.next("shop/web", service(), pods)).toBe("2026-01-01T00:00:10Z");
  expect(times.next("shop/web", service(), pods)).toBeUndefined();
});
