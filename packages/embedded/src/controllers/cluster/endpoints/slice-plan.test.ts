import type { Endpoint, EndpointSlice, Pod, Service } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { node, pod, service, servingPod, stored } from "../fixtures/cluster-objects.ts";
import { planSlices } from "./slice-plan.ts";

const zone = { "topology.kubernetes.io/zone": "east" };
const nodeOf = (name: string) => (name === "node-1" ? node(name, { metadata: { labels: zone } }) : undefined);
const plan = (pods: readonly Pod[], existing: readonly EndpointSlice[] = [], of: Service = service()) =>
  planSlices({ service: of, pods, existing, nodeOf });
const addressesOf = (slice: EndpointSlice | undefined) => slice?.endpoints?.flatMap(({ addresses }) => addresses);
const many = (count: number, third = 0) =>
  Array.from({ length: count }, (_, at) => servingPod(`pod-${third}-${at}`, `10.1.${third}.${at}`));

describe("a Service that is new", () => {
  it("has a slice without endpoints when there is no Pod", () => {
    const { create, update, remove } = plan([]);
    expect(create).toEqual([
      {
        apiVersion: "discovery.k8s.io/v1",
        kind: "EndpointSlice",
        metadata: {
          generateName: "web-",
          namespace: "shop",
          labels: {
            "kubernetes.io/service-name": "web",
            "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
          },
          ownerReferences: [
            {
              apiVersion: "v1",
              kind: "Service",
              name: "web",
              uid: "uid-of-web",
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        },
        addressType: "IPv4",
        endpoints: [],
        ports: [],
      },
    ]);
    expect([update, remove]).toEqual([[], []]);
  });

  it("has a slice for each family", () => {
    const { create } = plan([], [], service({ ipFamilies: ["IPv4", "IPv6"] }));
    expect(create.map(({ addressType }) => addressType)).toEqual(["IPv4", "IPv6"]);
  });

  it("has so many that no slice is over the most", () => {
    const { create } = plan(many(250));
    expect(create.map((slice) => slice.endpoints?.length)).toEqual([100, 100, 50]);
  });
});

describe("an endpoint", () => {
  const endpointOf = (each: Pod, of?: Service): Endpoint | undefined => plan([each], [], of).create[0]?.endpoints?.[0];

  it("tells of the Pod, its node and zone", () => {
    expect(endpointOf(servingPod("a", "10.1.0.1"))).toEqual({
      addresses: ["10.1.0.1"],
      conditions: { ready: true, serving: true, terminating: false },
      nodeName: "node-1",
      zone: "east",
      targetRef: { kind: "Pod", namespace: "shop", name: "a", uid: "uid-of-a" },
    });
  });

  it("of a Pod that is being deleted serves, and is not ready", () => {
    const going = servingPod("a", "10.1.0.1", true, {
      metadata: { name: "a", deletionTimestamp: "2026-01-01T00:00:00Z" },
    });
    expect(endpointOf(going)?.conditions).toEqual({ ready: false, serving: true, terminating: true });
  });

  it("is ready whatever the Pod says, where the Service wants it so", () => {
    const all = service({ publishNotReadyAddresses: true });
    expect(endpointOf(servingPod("a", "10.1.0.1", false), all)?.conditions?.ready).toBe(true);
  });

  it("has a name in the domain of the Service", () => {
    const named = servingPod("a", "10.1.0.1", true, {
      spec: { nodeName: "node-1", hostname: "first", subdomain: "web" },
    });
    expect(endpointOf(named)?.hostname).toBe("first");
  });

  it("is no Pod that has ended, or has no address", () => {
    const ended = servingPod("a", "10.1.0.1", true, { status: { phase: "Succeeded" } });
    expect(endpointOf(ended)).toBeUndefined();
    expect(endpointOf(pod("a"))).toBeUndefined();
  });

  it("is hinted at to those nearby where the Service wants it so", () => {
    const near = service({ trafficDistribution: "PreferSameNode" });
    expect(endpointOf(servingPod("a", "10.1.0.1"), near)?.hints).toEqual({
      forZones: [{ name: "east" }],
      forNodes: [{ name: "node-1" }],
    });
  });
});

test("a Pod whose node nobody knows is left out, and named", () => {
  const lost = servingPod("a", "10.1.0.1", true, { spec: { nodeName: "gone" } });
  const { create, skipped } = plan([lost, servingPod("b", "10.1.0.2")]);
  expect(skipped).toEqual([lost]);
  expect(addressesOf(create[0])).toEqual(["10.1.0.2"]);
});

describe("slices that are there", () => {
  const first = () => stored(plan([servingPod("a", "10.1.0.1")]).create[0], "web-1");

  it("are left alone when nothing changed", () => {
    expect(plan([servingPod("a", "10.1.0.1")], [first()])).toEqual({ create: [], update: [], remove: [], skipped: [] });
  });

  it("are changed when an endpoint does", () => {
    const { create, update } = plan([servingPod("a", "10.1.0.1", false)], [first()]);
    expect(create).toEqual([]);
    expect(update[0]?.metadata.name).toBe("web-1");
    expect(update[0]?.endpoints?.[0]?.conditions?.ready).toBe(false);
  });

  it("take in what comes, as long as there is room", () => {
    const { create, update } = plan([servingPod("a", "10.1.0.1"), servingPod("b", "10.1.0.2")], [first()]);
    expect(create).toEqual([]);
    expect(addressesOf(update[0])).toEqual(["10.1.0.1", "10.1.0.2"]);
  });

  it("are filled before there are new ones", () => {
    const pods = many(150);
    const existing = plan(pods).create.map((slice, at) => stored(slice, `web-${at}`));
    const { create, update } = plan([...pods, ...many(60, 1)], existing);
    expect(update).toEqual([]);
    expect(create.map((slice) => slice.endpoints?.length)).toEqual([60]);
    const fewer = plan([...pods, ...many(50, 1)], existing);
    expect(fewer.update.map(({ metadata, endpoints }) => [metadata.name, endpoints?.length])).toEqual([["web-1", 100]]);
  });

  it("become the empty one when the last endpoint goes, and an endpoint's when the first comes", () => {
    const gone = plan([], [first()]);
    expect(gone.remove).toEqual([]);
    expect(gone.update.map(({ metadata, endpoints, ports }) => [metadata.name, endpoints, ports])).toEqual([
      ["web-1", [], []],
    ]);
    const empty = stored(plan([]).create[0], "web-1");
    expect(plan([], [empty])).toEqual({ create: [], update: [], remove: [], skipped: [] });
    const back = plan([servingPod("a", "10.1.0.1")], [empty]);
    expect([back.create, back.remove]).toEqual([[], []]);
    expect(addressesOf(back.update[0])).toEqual(["10.1.0.1"]);
  });

  it("that are empty come from the server as null, also where an endpoint has no ports", () => {
    const headless = service({ clusterIP: "None", ports: [] });
    const nothing = { endpoints: null, ports: null } as unknown as Partial<EndpointSlice>;
    const empty = { ...stored(plan([], [], headless).create[0], "web-1"), ...nothing };
    expect(plan([], [empty], headless)).toEqual({ create: [], update: [], remove: [], skipped: [] });
    const { create, update } = plan([servingPod("a", "10.1.0.1")], [empty], headless);
    expect(create).toEqual([]);
    expect(update.map((slice) => [slice.metadata.name, addressesOf(slice)])).toEqual([["web-1", ["10.1.0.1"]]]);
  });

  it("follow the labels of the Service", () => {
    const { update } = plan([servingPod("a", "10.1.0.1")], [first()], service({}, { tier: "front" }));
    expect(update[0]?.metadata.labels).toMatchObject({ tier: "front", "kubernetes.io/service-name": "web" });
  });

  it("of another Service of that name go", () => {
    const [old] = [first()].map((slice) => ({ ...slice, metadata: { ...slice.metadata, ownerReferences: [] } }));
    const { create, remove } = plan([servingPod("a", "10.1.0.1")], old === undefined ? [] : [old]);
    expect(remove).toEqual([old]);
    expect(create).toHaveLength(1);
  });

  it("of a family that the Service has no longer go", () => {
    const { remove } = plan([], [first()], service({ ipFamilies: ["IPv6"] }));
    expect(remove.map(({ metadata }) => metadata.name)).toEqual(["web-1"]);
  });
});
