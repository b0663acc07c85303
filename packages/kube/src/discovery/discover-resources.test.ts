import { hasErrorCode } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { discoverResources } from "./discover-resources.ts";
import { aggregatedList, aggregatingServer, ScriptedDiscovery, statusError } from "./fixtures/scripted-discovery.ts";

const groupNames = ({ groups }: { groups: readonly { name: string }[] }) => groups.map(({ name }) => name);

/** The same two groups, as a server answers that does not aggregate. */
function plainServer(): ScriptedDiscovery {
  const server = new ScriptedDiscovery();
  server.answers.set("/api", { kind: "APIVersions", versions: ["v1"] });
  server.answers.set("/apis", {
    kind: "APIGroupList",
    groups: [
      {
        name: "autoscaling",
        versions: [{ version: "v1" }, { version: "v2" }],
        preferredVersion: { version: "v2" },
      },
    ],
  });
  server.answers.set("/api/v1", {
    kind: "APIResourceList",
    resources: [
      { name: "pods", singularName: "pod", namespaced: true, kind: "Pod", verbs: ["get", "list"], shortNames: ["po"] },
      { name: "pods/eviction", namespaced: true, group: "policy", version: "v1", kind: "Eviction", verbs: ["create"] },
      { name: "pods/status", namespaced: true, kind: "Pod", verbs: ["get", "patch"] },
    ],
  });
  const scalers = [
    { name: "horizontalpodautoscalers", namespaced: true, kind: "HorizontalPodAutoscaler", verbs: ["get"] },
  ];
  server.answers.set("/apis/autoscaling/v1", { kind: "APIResourceList", resources: scalers });
  server.answers.set("/apis/autoscaling/v2", { kind: "APIResourceList", resources: scalers });
  return server;
}

describe("discovery on a server that aggregates", () => {
  it("takes two requests", async () => {
    const server = aggregatingServer({ apps: { v1: [{ resource: "deployments", kind: "Deployment" }] } });
    const found = await discoverResources(server);
    expect(groupNames(found)).toEqual(["", "apps"]);
    expect(server.requests.map(({ path }) => path)).toEqual(["/api", "/apis"]);
    expect(server.requests[0]?.accept).toContain("g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,");
  });

  it("tells scope, verbs and names of a resource", async () => {
    const found = await discoverResources(aggregatingServer());
    expect(found.groups[0]?.versions[0]?.resources.at(-1)).toEqual({
      group: "",
      version: "v1",
      plural: "persistentvolumes",
      kind: "PersistentVolume",
      namespaced: false,
      singular: "persistentvolume",
      shortNames: ["pv"],
      categories: [],
      verbs: ["get", "list"],
      subresources: [],
    });
  });

  it("tells of subresources, also of those whose objects are of another group", async () => {
    const server = aggregatingServer();
    const own = { group: "", version: "", kind: "Deployment" };
    const subresources = [
      { subresource: "scale", responseKind: { group: "autoscaling", version: "v1", kind: "Scale" }, verbs: ["get"] },
      { subresource: "status", responseKind: own, verbs: ["patch"] },
    ];
    const deployments = { resource: "deployments", responseKind: own, scope: "Namespaced", subresources };
    server.answers.set("/apis", {
      kind: "APIGroupDiscoveryList",
      items: [{ metadata: { name: "apps" }, versions: [{ version: "v1", resources: [deployments] }] }],
    });
    const found = await discoverResources(server);
    expect(found.groups[1]?.versions[0]?.resources[0]?.subresources).toEqual([
      { name: "scale", group: "autoscaling", version: "v1", kind: "Scale", verbs: ["get"] },
      { name: "status", group: "apps", version: "v1", kind: "Deployment", verbs: ["patch"] },
    ]);
  });

  it("reports a group that is down and keeps the others", async () => {
    const found = await discoverResources(
      aggregatingServer({
        "metrics.k8s.io": { v1: "Stale", v1beta1: [{ resource: "nodes", kind: "NodeMetrics" }] },
        apps: { v1: [{ resource: "deployments", kind: "Deployment" }] },
      }),
    );
    expect(groupNames(found)).toEqual(["", "metrics.k8s.io", "apps"]);
    expect(found.groups[1]?.versions.map(({ version }) => version)).toEqual(["v1beta1"]);
    expect(found.failures).toMatchObject([{ group: "metrics.k8s.io", version: "v1" }]);
  });

  it("passes over resources without a kind, and lists that are null", async () => {
    const server = aggregatingServer();
    const versions = [
      { version: "v1", resources: [{ resource: "orphans" }] },
      { version: "v1beta1", resources: null },
    ];
    server.answers.set("/apis", {
      kind: "APIGroupDiscoveryList",
      items: [
        { metadata: { name: "odd" }, versions },
        { metadata: { name: "empty" }, versions: null },
      ],
    });
    const found = await discoverResources(server);
    expect(found.groups.slice(1)).toEqual([
      {
        name: "odd",
        versions: [
          { version: "v1", resources: [] },
          { version: "v1beta1", resources: [] },
        ],
      },
      { name: "empty", versions: [] },
    ]);
  });

  it("does without a core group, as extension servers have none", async () => {
    const server = new ScriptedDiscovery();
    server.answers.set("/apis", aggregatedList({ apps: { v1: [] } }));
    expect(groupNames(await discoverResources(server))).toEqual(["apps"]);
  });
});

describe("discovery on a server that does not aggregate", () => {
  it("asks for every group and version, and puts the preferred version first", async () => {
    const server = plainServer();
    const found = await discoverResources(server);
    expect(found.failures).toEqual([]);
    expect(groupNames(found)).toEqual(["", "autoscaling"]);
    expect(found.groups[1]?.versions.map(({ version }) => version)).toEqual(["v2", "v1"]);
    expect(server.requests).toHaveLength(5);
  });

  it("puts subresources with their resource", async () => {
    const found = await discoverResources(plainServer());
    expect(found.groups[0]?.versions[0]?.resources).toEqual([
      {
        group: "",
        version: "v1",
        plural: "pods",
        kind: "Pod",
        namespaced: true,
        singular: "pod",
        shortNames: ["po"],
        categories: [],
        verbs: ["get", "list"],
        subresources: [
          { name: "eviction", group: "policy", version: "v1", kind: "Eviction", verbs: ["create"] },
          { name: "status", group: "", version: "v1", kind: "Pod", verbs: ["get", "patch"] },
        ],
      },
    ]);
  });

  it("reports a version that fails and keeps the others", async () => {
    const server = plainServer();
    server.answers.set("/apis/autoscaling/v2", statusError(503, "/apis/autoscaling/v2"));
    const found = await discoverResources(server);
    expect(found.groups[1]?.versions.map(({ version }) => version)).toEqual(["v1"]);
    expect(found.failures).toMatchObject([{ group: "autoscaling", version: "v2", error: { httpStatus: 503 } }]);
  });

  it("takes a version that was removed in the meantime for empty, not for failing", async () => {
    const server = plainServer();
    server.answers.delete("/apis/autoscaling/v2");
    const found = await discoverResources(server);
    expect(found.failures).toEqual([]);
    expect(found.groups[1]?.versions[0]).toEqual({ version: "v2", resources: [] });
  });

  it("can be asked for on any server", async () => {
    const server = plainServer();
    await discoverResources(server, { aggregated: false });
    expect(server.requests.map(({ accept }) => accept)).toEqual(Array(5).fill(undefined));
  });

  it("asks for a few groups at a time, however many there are", async () => {
    const server = new ScriptedDiscovery();
    const names = Array.from({ length: 50 }, (_, n) => `g${n}.example.com`);
    server.answers.set("/apis", {
      kind: "APIGroupList",
      groups: names.map((name) => ({ name, versions: [{ version: "v1" }] })),
    });
    for (const name of names) server.answers.set(`/apis/${name}/v1`, { kind: "APIResourceList", resources: [] });
    let [open, most] = [0, 0];
    const counting = {
      server: server.server,
      async getPath<S>(path: string) {
        most = Math.max(most, ++open);
        await Promise.resolve();
        return await server.getPath<S>(path).finally(() => open--);
      },
    };
    const found = await discoverResources(counting);
    expect(groupNames(found)).toEqual(names);
    expect(most).toBeLessThanOrEqual(8);
  });
});

describe("discovery that fails", () => {
  it("passes on what the server said", async () => {
    const server = aggregatingServer();
    server.answers.set("/apis", statusError(403, "/apis"));
    await expect(discoverResources(server)).rejects.toMatchObject({ reason: "Forbidden" });
  });

  it("says so when the server is no Kubernetes API", async () => {
    const server = aggregatingServer();
    server.answers.set("/apis", { kind: "Welcome" });
    const failure = await discoverResources(server).catch((error: unknown) => error);
    expect(hasErrorCode(failure, "NOT_A_KUBERNETES_API")).toBe(true);
    expect(String(failure)).toContain("GET https://api.test:6443/apis: a list of API groups was expected, not Welcome");
  });
});
