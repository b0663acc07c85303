import type { NewObject } from "@stowage/kube";
import {
  type EndpointSlice,
  type Endpoints,
  endpointSlices,
  endpoints,
  nodes,
  type Pod,
  pods,
  type Service,
  type ServiceSpec,
  services,
} from "@stowage/machinery";
import { pod } from "../cluster-objects.ts";
import { readyPodStatus } from "../kubelet.ts";
import type { Scenario, Scene } from "../scenario.ts";

const compares = [endpointSlices, endpoints];

function service(more: Partial<ServiceSpec> = {}, labels?: Record<string, string>): NewObject<Service> {
  const ports = [{ name: "http", port: 80, targetPort: 8080 }];
  return { metadata: { name: "web", labels }, spec: { selector: { app: "web" }, ports, ...more } };
}

const nodeName = ({ id }: Scene) => `node-${id}`;

/** One that the health of nodes is not looked at for during the scenario, and that no Pod goes to by itself. */
async function makeNode(scene: Scene, labels: Record<string, string> = {}): Promise<string> {
  const name = nodeName(scene);
  const unschedulable = true;
  await scene.create(nodes, { metadata: { name, labels }, spec: { unschedulable } });
  return name;
}

interface Address {
  readonly ip: string;
  readonly isReady?: boolean;
  readonly spec?: Partial<NonNullable<Pod["spec"]>>;
}

async function makePod(scene: Scene, name: string, { ip, isReady = true, spec }: Address): Promise<void> {
  const { metadata, spec: bare } = pod("web", { nodeName: nodeName(scene), ...spec });
  const created = await scene.create(pods, { metadata: { ...metadata, name }, spec: bare });
  await setAddress(scene, created, ip, isReady);
}

async function setAddress(scene: Scene, made: Pod, ip: string, isReady: boolean): Promise<void> {
  const { conditions = [], ...status } = readyPodStatus(made, Date.now());
  const said = conditions.map((each) => (each.type === "Ready" && !isReady ? { ...each, status: "False" } : each));
  const name = made.metadata.name ?? "";
  await scene.patchStatus(pods, name, { ...status, conditions: said, podIP: ip, podIPs: [{ ip }] });
}

const addressesOf = (slices: readonly EndpointSlice[]) => slices.flatMap((slice) => slice.endpoints ?? []);
const subsetsOf = ([first]: readonly Endpoints[]) => first?.subsets ?? [];

async function untilEndpoints(scene: Scene, count: number): Promise<void> {
  await scene.untilAll(endpointSlices, (all) => all.length > 0 && addressesOf(all).length === count);
  await scene.untilAll(endpoints, (all) => {
    const addresses = subsetsOf(all).flatMap((each) => [...(each.addresses ?? []), ...(each.notReadyAddresses ?? [])]);
    return all.length === 1 && new Set(addresses.map(({ ip }) => ip)).size === count;
  });
}

export const addresses: Scenario[] = [
  {
    name: "a Service without Pods has an empty slice",
    compares,
    async run(scene) {
      await scene.create(services, service({}, { tier: "front" }));
      await untilEndpoints(scene, 0);
    },
  },
  {
    name: "Pods are endpoints, ready or not",
    compares,
    async run(scene) {
      await makeNode(scene, { "topology.kubernetes.io/zone": "east" });
      await makePod(scene, "a", { ip: "10.1.0.1" });
      await makePod(scene, "b", { ip: "10.1.0.2", isReady: false });
      await scene.create(services, service());
      await untilEndpoints(scene, 2);
    },
  },
  {
    name: "Pods come after the Service, become ready, and leave it",
    compares,
    async run(scene) {
      await makeNode(scene);
      await scene.create(services, service());
      await untilEndpoints(scene, 0);
      await makePod(scene, "a", { ip: "10.1.0.1", isReady: false });
      await untilEndpoints(scene, 1);
      await setAddress(scene, await scene.get(pods, "a"), "10.1.0.1", true);
      await scene.untilAll(endpointSlices, (all) => addressesOf(all)[0]?.conditions?.ready === true);
      await makePod(scene, "b", { ip: "10.1.0.2" });
      await untilEndpoints(scene, 2);
      await scene.patch(pods, "a", { metadata: { labels: { app: "other" } } });
      await untilEndpoints(scene, 1);
    },
  },
  {
    name: "a Pod that ends is none any more, and one that is being deleted still serves",
    compares,
    async run(scene) {
      await makeNode(scene);
      await scene.create(services, service());
      await makePod(scene, "ends", { ip: "10.1.0.1" });
      await makePod(scene, "going", { ip: "10.1.0.2", spec: { terminationGracePeriodSeconds: 600 } });
      await untilEndpoints(scene, 2);
      await scene.patchStatus(pods, "ends", { phase: "Succeeded" });
      await scene.remove(pods, "going");
      await scene.untilAll(endpointSlices, (all) => {
        const [only, ...others] = addressesOf(all);
        return others.length === 0 && only?.conditions?.terminating === true;
      });
      await scene.untilAll(endpoints, (all) => subsetsOf(all).length === 0);
    },
  },
  {
    name: "a Pod whose node nobody knows is left out of slices",
    compares,
    async run(scene) {
      await scene.create(services, service());
      await untilEndpoints(scene, 0);
      await makePod(scene, "a", { ip: "10.1.0.1" });
      await scene.untilAll(endpoints, (all) => subsetsOf(all).length === 1);
    },
  },
  {
    name: "labels of the Service come to its endpoints",
    compares,
    async run(scene) {
      await makeNode(scene);
      await makePod(scene, "a", { ip: "10.1.0.1" });
      await scene.create(services, service({}, { tier: "front", kept: "yes" }));
      await untilEndpoints(scene, 1);
      await scene.patch(services, "web", { metadata: { labels: { tier: "back", kept: null } } });
      await scene.untilAll(endpointSlices, ([slice]) => slice?.metadata.labels?.["tier"] === "back");
      await scene.untilAll(endpoints, ([each]) => each?.metadata.labels?.["tier"] === "back");
    },
  },
  {
    name: "a selector that changes leads to others",
    compares,
    async run(scene) {
      await makeNode(scene);
      await makePod(scene, "a", { ip: "10.1.0.1" });
      await scene.create(services, service());
      await untilEndpoints(scene, 1);
      await scene.patch(services, "web", { spec: { selector: { app: "other" } } });
      await untilEndpoints(scene, 0);
    },
  },
];

export const ports: Scenario[] = [
  {
    name: "ports have an order of their own",
    compares,
    async run(scene) {
      await makeNode(scene);
      await makePod(scene, "a", { ip: "10.1.0.1" });
      const names = ["http", "https", "metrics", "admin", "grpc"];
      const numbered = names.map((name, at) => ({ name, port: 80 + at, targetPort: 8080 + at }));
      const others = [{ name: "dns", port: 53, protocol: "UDP" as const, appProtocol: "example.org/dns" }];
      await scene.create(services, service({ ports: [...numbered, ...others] }));
      await untilEndpoints(scene, 1);
    },
  },
  {
    name: "Pods with other numbers under one name have slices of their own",
    compares,
    async run(scene) {
      await makeNode(scene);
      const image = "example.org/main:1";
      const listening = (containerPort: number) => ({
        containers: [{ name: "main", image, ports: [{ name: "web", containerPort }] }],
      });
      await makePod(scene, "a", { ip: "10.1.0.1", spec: listening(8080) });
      await makePod(scene, "b", { ip: "10.1.0.2", spec: listening(9090) });
      await makePod(scene, "c", { ip: "10.1.0.3" });
      await scene.create(services, service({ ports: [{ name: "http", port: 80, targetPort: "web" }] }));
      await scene.untilAll(endpointSlices, (all) => addressesOf(all).length === 3);
      await scene.untilAll(endpoints, (all) => subsetsOf(all).length === 2);
    },
  },
  {
    name: "a headless Service needs no ports, and knows Pods by name",
    compares,
    async run(scene) {
      await makeNode(scene);
      await makePod(scene, "a", { ip: "10.1.0.1", spec: { hostname: "first", subdomain: "web" } });
      await makePod(scene, "b", { ip: "10.1.0.2", isReady: false });
      await scene.create(services, service({ clusterIP: "None", ports: undefined, publishNotReadyAddresses: true }));
      await untilEndpoints(scene, 2);
    },
  },
  {
    name: "a Service can ask to be served nearby",
    compares,
    async run(scene) {
      await makeNode(scene, { "topology.kubernetes.io/zone": "east" });
      await makePod(scene, "a", { ip: "10.1.0.1" });
      await scene.create(services, service({ trafficDistribution: "PreferSameNode" }));
      await untilEndpoints(scene, 1);
    },
  },
];

export const left: Scenario[] = [
  {
    name: "a Service that goes takes its endpoints along",
    compares: [services, endpoints, endpointSlices],
    async run(scene) {
      await scene.create(services, service());
      await untilEndpoints(scene, 0);
      await scene.remove(services, "web");
      await scene.untilAll(endpoints, (all) => all.length === 0);
      await scene.untilAll(endpointSlices, (all) => all.length === 0);
    },
  },
  {
    name: "slices that somebody deletes or changes come back",
    compares,
    async run(scene) {
      await makeNode(scene);
      await makePod(scene, "a", { ip: "10.1.0.1" });
      await scene.create(services, service());
      await untilEndpoints(scene, 1);
      const [slice] = await scene.list(endpointSlices);
      await scene.remove(endpointSlices, slice?.metadata.name ?? "");
      await scene.remove(endpoints, "web");
      await untilEndpoints(scene, 1);
    },
  },
  {
    name: "a Service without a selector has none",
    compares,
    async run(scene) {
      await scene.create(services, service({ selector: undefined }));
      await scene.create(services, {
        metadata: { name: "second" },
        spec: { selector: { app: "x" }, ports: [{ port: 1 }] },
      });
      await scene.until(endpoints, "second", () => true);
      await scene.untilAll(endpointSlices, (all) => all.length === 1);
    },
  },
];
