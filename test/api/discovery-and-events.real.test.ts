import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  createClient,
  createEventBroadcaster,
  createRestMapper,
  createTransport,
  type DiscoveredGroup,
  discoverResources,
  loadKubeconfig,
} from "@stowage/kube";
import {
  type CustomResourceDefinition,
  customResourceDefinitions,
  type Event,
  type KubernetesObject,
  type ResourceType,
} from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
// Not all of machinery: the types of CRDs are there too, and who installed those is another test.
import * as builtIn from "../../packages/machinery/src/api/index.ts";
import { realApi } from "./real-api.ts";

const kubectlPath = fileURLToPath(new URL("../../.lab/bin/kubectl", import.meta.url));
const soon = { timeout: 60_000, interval: 100 };

async function kubectl(...words: string[]): Promise<string> {
  return (await promisify(execFile)(kubectlPath, ["--kubeconfig", inject("kubeconfig"), ...words])).stdout;
}

async function connect() {
  const connection = await loadKubeconfig({ path: inject("kubeconfig"), env: {}, homeDir: homedir() });
  const transport = createTransport(connection);
  return { transport, client: createClient({ transport }) };
}

let connection: Awaited<ReturnType<typeof connect>>;

beforeAll(async () => {
  connection = await connect();
});

afterAll(() => connection.transport.close());

describe("discovery", () => {
  /** The server gives the resources of a group with several CRDs in another order in each form. */
  const inOrder = (groups: readonly DiscoveredGroup[]) =>
    groups
      .map((group) => ({
        ...group,
        versions: group.versions.map((version) => ({
          ...version,
          resources: version.resources.toSorted((a, b) => a.plural.localeCompare(b.plural)),
        })),
      }))
      .toSorted((a, b) => a.name.localeCompare(b.name));

  it("finds the same in both forms", async () => {
    const aggregated = await discoverResources(connection.client);
    const separate = await discoverResources(connection.client, { aggregated: false });
    expect(aggregated.failures).toEqual([]);
    expect(inOrder(aggregated.groups)).toEqual(inOrder(separate.groups));
    expect(aggregated.groups[0]?.name).toBe("");
    expect(aggregated.groups.length).toBeGreaterThan(15);
  });

  it("finds what kubectl finds, under the names that kubectl uses", async () => {
    const mapper = createRestMapper({ client: connection.client });
    const rows = (await kubectl("api-resources", "--no-headers")).trim().split("\n");
    expect(rows.length).toBeGreaterThan(50);
    for (const row of rows) {
      const words = row.trim().split(/\s+/);
      const [kind = "", isNamespaced, apiVersion = ""] = words.toReversed();
      const [plural = "", shortNames = ""] = words.length === 5 ? words : [words[0]];
      const [version, group = ""] = apiVersion.split("/").toReversed();
      const expected = { group, version, kind, plural, namespaced: isNamespaced === "true" };
      expect(await mapper.resourceFor({ group, kind })).toMatchObject(expected);
      for (const name of [plural, kind, ...shortNames.split(",").filter(Boolean)]) {
        expect(await mapper.resourceNamed(`${name}.${group}`)).toMatchObject(expected);
      }
    }
  });

  it("agrees with the generated resource types", async () => {
    const mapper = createRestMapper({ client: connection.client });
    const isResourceType = (value: unknown): value is ResourceType =>
      typeof value === "object" && value !== null && "plural" in value && "namespaced" in value;
    const types = Object.values(builtIn as Record<string, unknown>).filter(isResourceType);
    expect(types.length).toBeGreaterThan(40);
    for (const type of types) {
      expect(await mapper.has(type)).toBe(true);
      expect(await mapper.resourceFor(type)).toMatchObject(type);
    }
  });

  it("tells verbs and subresources", async () => {
    const mapper = createRestMapper({ client: connection.client });
    const pods = await mapper.resourceNamed("po");
    expect(pods.verbs).toEqual(expect.arrayContaining(["get", "list", "watch", "create", "patch", "delete"]));
    expect(pods.subresources).toContainEqual({
      name: "eviction",
      group: "policy",
      version: "v1",
      kind: "Eviction",
      verbs: ["create"],
    });
    expect(pods.categories).toContain("all");
  });

  it("reads the server's version", async () => {
    const { json } = await realApi().request<{ gitVersion: string; minor: string }>("GET", "/version");
    const version = await createRestMapper({ client: connection.client }).serverVersion();
    expect(version).toMatchObject({ major: 1, minor: Number.parseInt(json.minor, 10), gitVersion: json.gitVersion });
  });

  it("says of a kind without a CRD what is missing", async () => {
    const mapper = createRestMapper({ client: connection.client });
    await expect(mapper.resourceFor({ group: "monitoring.coreos.com", kind: "ServiceMonitor" })).rejects.toMatchObject({
      code: "KIND_NOT_SERVED",
      nextStep: expect.stringContaining("Is the CRD installed"),
    });
    expect(await mapper.has({ group: "monitoring.coreos.com", plural: "servicemonitors" })).toBe(false);
  });
});

describe("a CRD that comes and goes", () => {
  const group = "discovery.stowage.test";
  const version = (name: string, isStored: boolean) => ({
    name,
    served: true,
    storage: isStored,
    schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    subresources: { status: {} },
  });
  const definition = {
    metadata: { name: `crates.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "crates", singular: "crate", kind: "Crate", shortNames: ["crt"], categories: ["cargo"] },
      versions: [version("v1beta1", false), version("v1", true)],
    },
  };
  const wanted = { group, kind: "Crate" };
  const remove = () => connection.client.delete(customResourceDefinitions, { name: definition.metadata.name });

  afterAll(async () => {
    await remove().catch(() => {});
  });

  it("is seen by a mapper that was there before it, and is usable with the client", async () => {
    const mapper = createRestMapper({ client: connection.client });
    await expect(mapper.resourceFor(wanted)).rejects.toMatchObject({ code: "KIND_NOT_SERVED" });
    await connection.client.create<CustomResourceDefinition>(customResourceDefinitions, definition);
    const crates = await vi.waitFor(() => mapper.resourceFor(wanted), soon);
    expect(crates).toMatchObject({
      version: "v1",
      plural: "crates",
      singular: "crate",
      shortNames: ["crt"],
      categories: ["cargo"],
      namespaced: true,
      subresources: [{ name: "status", group, version: "v1", kind: "Crate" }],
    });
    expect(await mapper.resourceFor({ ...wanted, version: "v1beta1" })).toMatchObject({ version: "v1beta1" });
    expect(await mapper.resourceNamed("crt")).toBe(crates);
    await vi.waitFor(() => connection.client.create(crates, { metadata: { name: "box", namespace: "default" } }), soon);
    expect(await connection.client.get(crates, { name: "box", namespace: "default" })).toMatchObject({ kind: "Crate" });
  });

  it("is gone from the mapper when it is gone from the server", async () => {
    const mapper = createRestMapper({ client: connection.client });
    expect(await mapper.has({ group, plural: "crates" })).toBe(true);
    await remove();
    await expect
      .poll(() => {
        mapper.invalidate();
        return mapper.has({ group, plural: "crates" });
      }, soon)
      .toBe(false);
    await expect(mapper.resourceFor(wanted)).rejects.toMatchObject({ code: "KIND_NOT_SERVED" });
  });
});

describe("an aggregated API that is down", () => {
  const group = "down.stowage.test";
  const path = "/apis/apiregistration.k8s.io/v1/apiservices";

  beforeAll(async () => {
    const { status } = await realApi().request("POST", path, {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name: `v1.${group}` },
      spec: {
        group,
        version: "v1",
        groupPriorityMinimum: 100,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { namespace: "default", name: "nobody" },
      },
    });
    if (status !== 201) throw new Error(`the APIService was not made: ${status}`);
  });

  afterAll(async () => {
    await realApi().request("DELETE", `${path}/v1.${group}`);
  });

  it.each([
    ["aggregated", true],
    ["separate", false],
  ])("leaves the others whole and is reported, in the %s form", async (_, aggregated) => {
    const mapper = createRestMapper({ client: connection.client, aggregated });
    await expect
      .poll(async () => {
        mapper.invalidate();
        return (await mapper.resources()).failures.map((failure) => `${failure.group}/${failure.version}`);
      }, soon)
      .toEqual([`${group}/v1`]);
    expect(await mapper.resourceNamed("pvc")).toMatchObject({ kind: "PersistentVolumeClaim" });
    await expect(mapper.has({ group, plural: "things" })).rejects.toMatchObject({ code: "API_GROUP_UNAVAILABLE" });
  });
});

describe("events", () => {
  const namespace = "events-conformance";
  const api = () => realApi();
  const claim = async (name: string): Promise<KubernetesObject> => {
    const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;
    const resources = { requests: { storage: "1Gi" } };
    const spec = { accessModes: ["ReadWriteOnce"], storageClassName: "none", resources };
    const { status, json } = await api().request<KubernetesObject>("POST", path, { metadata: { name }, spec });
    expect(status).toBe(201);
    return json;
  };
  const eventsOf = async (name: string, inNamespace = namespace): Promise<Event[]> => {
    const selector = encodeURIComponent(`involvedObject.name=${name},source=conformance`);
    const path = `/api/v1/namespaces/${inNamespace}/events?fieldSelector=${selector}`;
    return (await api().request<{ items: Event[] }>("GET", path)).json.items;
  };
  const lines: string[] = [];
  const write = (_: object, message: string) => void lines.push(message);
  const stop = new AbortController();
  let broadcaster: ReturnType<typeof createEventBroadcaster>;
  let running: Promise<void>;
  const recorder = () => broadcaster.recorder({ component: "conformance", host: "node-1" });

  beforeAll(async () => {
    await api().request("POST", "/api/v1/namespaces", { metadata: { name: namespace } });
    const logger = { debug() {}, info: write, warn: write, error: write };
    broadcaster = createEventBroadcaster({ client: connection.client, logger });
    running = broadcaster.run(stop.signal);
  });

  afterAll(async () => {
    stop.abort();
    await running;
    await api().request("DELETE", `/api/v1/namespaces/${namespace}`);
  });

  it("are counted, and shown by kubectl describe", async () => {
    const subject = await claim("counted");
    for (let n = 0; n < 3; n++) {
      recorder().event(subject, "Warning", "ProvisioningFailed", "no space left");
      expect(await broadcaster.flush(10_000)).toBe(true);
    }
    const [event, ...others] = await eventsOf("counted");
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      metadata: { name: expect.stringMatching(/^counted\.[0-9a-f]{16}$/) },
      involvedObject: {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        uid: subject.metadata.uid,
        resourceVersion: subject.metadata.resourceVersion,
      },
      count: 3,
      type: "Warning",
      source: { component: "conformance", host: "node-1" },
      reportingComponent: "conformance",
      reportingInstance: "node-1",
    });
    const described = await kubectl("--namespace", namespace, "describe", "pvc", "counted");
    expect(described).toMatch(/Warning +ProvisioningFailed +.*\(x3 over .*\) +conformance +no space left/);
  });

  it("are the same through events.k8s.io", async () => {
    const [event] = await eventsOf("counted");
    const path = `/apis/events.k8s.io/v1/namespaces/${namespace}/events/${event?.metadata.name}`;
    expect((await api().request("GET", path)).json).toMatchObject({
      note: "no space left",
      deprecatedCount: 3,
      reportingController: "conformance",
    });
  });

  it("are made anew with their count when they were deleted meanwhile", async () => {
    const subject = await claim("deleted");
    recorder().event(subject, "Normal", "Provisioning", "working");
    await broadcaster.flush(10_000);
    const [event] = await eventsOf("deleted");
    await api().request("DELETE", `/api/v1/namespaces/${namespace}/events/${event?.metadata.name}`);
    recorder().event(subject, "Normal", "Provisioning", "working");
    await broadcaster.flush(10_000);
    expect(await eventsOf("deleted")).toMatchObject([{ count: 2 }]);
  });

  it("are combined when only their messages differ", async () => {
    const subject = await claim("combined");
    for (let n = 1; n <= 14; n++) recorder().event(subject, "Warning", "ProvisioningFailed", `attempt ${n}`);
    await broadcaster.flush(10_000);
    const events = await eventsOf("combined");
    expect(events).toHaveLength(11);
    expect(events.find(({ message }) => message?.startsWith("(combined"))).toMatchObject({
      message: "(combined from similar events): attempt 14",
      count: 4,
    });
  });

  it("of an object without a namespace are where kubectl looks for them", async () => {
    const { json: node } = await api().request<KubernetesObject>("POST", "/api/v1/nodes", {
      metadata: { name: "events-1" },
    });
    recorder().event(node, "Normal", "Registered", "driver registered");
    await broadcaster.flush(10_000);
    expect(await eventsOf("events-1", "default")).toHaveLength(1);
    const described = await kubectl("describe", "node", "events-1");
    await api().request("DELETE", "/api/v1/nodes/events-1");
    expect(described).toContain("driver registered");
  });

  it("can be about objects whose names and messages are unusual", async () => {
    const subject = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", name: "system:events:test" };
    recorder().event(subject, "Normal", "Seen", `${"a".repeat(1023)}😀`);
    await broadcaster.flush(10_000);
    expect(await eventsOf("system:events:test", "default")).toMatchObject([{ message: `${"a".repeat(1021)}...` }]);
    expect(lines).toEqual([]);
  });

  it("are dropped with a word when their namespace is being deleted, or is not there", async () => {
    const name = "events-ending";
    await api().request("POST", "/api/v1/namespaces", { metadata: { name } });
    const holder = { metadata: { name: "holder", finalizers: ["stowage.test/hold"] } };
    await api().request("POST", `/api/v1/namespaces/${name}/configmaps`, holder);
    await api().request("DELETE", `/api/v1/namespaces/${name}`);
    recorder().event({ kind: "ConfigMap", namespace: name, name: "holder" }, "Normal", "Ending", "bye");
    recorder().event({ kind: "ConfigMap", namespace: "events-nowhere", name: "none" }, "Normal", "Ending", "bye");
    expect(await broadcaster.flush(10_000)).toBe(true);
    const path = `/api/v1/namespaces/${name}/configmaps/holder`;
    const headers = { "content-type": "application/merge-patch+json" };
    await api().request("PATCH", path, { metadata: { finalizers: null } }, headers);
    expect(lines.splice(0)).toEqual([
      "an event is dropped: its namespace is being deleted",
      "an event is dropped: it was refused",
    ]);
  });
});
