import type { ClusterOperator, Deployment, KubernetesObject } from "@stowage/machinery";
import { refusal } from "@stowage/operator/testing";
import { describe, expect, it, test } from "vitest";
import { MemoryCluster } from "../fixtures/memory-cluster.ts";
import type { PayloadManifest } from "../payload/index.ts";
import { type PassDeps, type PassSpec, passPayload } from "./payload-pass.ts";

const config = (name: string, annotations: Record<string, string> = {}, value = "1"): KubernetesObject =>
  ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "x", annotations },
    data: { value },
  }) as KubernetesObject;

const operator = (name: string): ClusterOperator => ({
  apiVersion: "config.openshift.io/v1",
  kind: "ClusterOperator",
  metadata: { name },
  spec: {},
  status: { versions: [{ name: "operator", version: "1.0.0" }] },
});

const object = (apiVersion: string, kind: string): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name: "n", namespace: "x" },
});

const job = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "job", namespace: "x" },
  spec: {},
} as KubernetesObject;

function isHealthy({ apiVersion, kind, metadata, spec }: ClusterOperator): ClusterOperator {
  const condition = (type: string, status: "True" | "False") => ({ type, status, lastTransitionTime: "" });
  const conditions = [condition("Available", "True"), condition("Degraded", "False")];
  return {
    apiVersion,
    kind,
    metadata,
    spec,
    status: { conditions, versions: [{ name: "operator", version: "1.0.0" }] },
  };
}

function pass(deps: PassDeps, files: readonly (readonly [string, KubernetesObject])[], more: Partial<PassSpec> = {}) {
  const manifests: PayloadManifest[] = files.map(([file, object]) => ({ file, object }));
  return passPayload(deps, {
    payload: { release: { version: "1.0.0", image: "" }, previous: [], manifests, hash: "" },
    mode: "installing",
    overrides: [],
    mayExist: false,
    signal: new AbortController().signal,
    onProgress: async () => {},
    ...more,
  });
}

/** A component whose operator is not there yet, beside another of its level, and one that comes later. */
const levels = [
  ["0000_10_a_00.yaml", config("a")],
  ["0000_10_a_01.yaml", operator("a")],
  ["0000_10_a_02.yaml", config("a-late")],
  ["0000_10_b_00.yaml", config("b")],
  ["0000_20_c_00.yaml", config("c")],
] as const;

describe("a pass", () => {
  test.each([
    ["an installation goes on with everything that does not wait", "installing", ["a", "a-late", "b", "c"]],
    ["an update goes no further than the level that waits", "updating", ["a", "b"]],
    ["a cluster that is kept is kept as a whole", "reconciling", ["a", "a-late", "b", "c"]],
  ] as const)("%s", async (_what, mode, made) => {
    const cluster = new MemoryCluster();
    const result = await pass(cluster.passDeps(), levels, { mode });
    const there = [...cluster.objects.keys()].filter((key) => key.startsWith("configmaps"));
    expect(there).toEqual(made.map((name) => `configmaps/x/${name}`));
    expect(result.troubles.map(({ reason, name }) => [reason, name])).toEqual([["ClusterOperatorNotAvailable", "a"]]);
    expect([result.done, result.total]).toEqual([made.length, 5]);
  });

  it("makes ClusterOperators before the rest of their group, and asks for nothing twice", async () => {
    const cluster = new MemoryCluster();
    const deps = cluster.passDeps();
    await pass(deps, levels);
    expect(cluster.takeRequests().slice(0, 2)).toEqual(["POST clusteroperators/a", "POST configmaps/x/a"]);
    cluster.set("clusteroperators", isHealthy(operator("a")));
    const result = await pass(deps, levels);
    expect(cluster.takeRequests()).toEqual([]);
    expect(result).toMatchObject({ done: 5, total: 5, troubles: [] });
  });

  it("looks at everything once in the period, a few at a time, and undoes what was changed", async () => {
    const cluster = new MemoryCluster();
    const deps = cluster.passDeps(100_000);
    const files = Array.from({ length: 10 }, (_, index) => ["0000_10_a_00.yaml", config(`c${index}`)] as const);
    await pass(deps, files, { mode: "reconciling" });
    cluster.takeRequests();
    cluster.set("configmaps", config("c3", {}, "mine"));
    const looks: string[][] = [];
    for (let turn = 0; turn < 10; turn++) {
      await cluster.clock.advance(10_000);
      await pass(deps, files, { mode: "reconciling" });
      looks.push(cluster.takeRequests());
    }
    expect(looks.flat().filter((request) => request.startsWith("GET"))).toHaveLength(10);
    expect(Math.max(...looks.map(({ length }) => length))).toBe(2);
    expect(cluster.objects.get("configmaps/x/c3")).toMatchObject({ data: { value: "1" } });
  });

  it("reads first what another process has made, and creates first what nobody has", async () => {
    const cluster = new MemoryCluster();
    cluster.set("configmaps", config("a"));
    await pass(cluster.passDeps(), [["a.yaml", config("a")]], { mayExist: true });
    expect(cluster.takeRequests()).toEqual(["GET configmaps/x/a"]);
    await pass(cluster.passDeps(), [["b.yaml", config("b")]]);
    expect(cluster.takeRequests()).toEqual(["POST configmaps/x/b"]);
  });

  it("never changes what is only to be made", async () => {
    const cluster = new MemoryCluster();
    const object = config("a", { "release.openshift.io/create-only": "true" });
    cluster.set("configmaps", { ...config("a", {}, "mine") });
    for (const mayExist of [false, true]) await pass(cluster.passDeps(), [["a.yaml", object]], { mayExist });
    expect(cluster.objects.get("configmaps/x/a")).toMatchObject({ data: { value: "mine" } });
    cluster.objects.clear();
    await pass(cluster.passDeps(), [["a.yaml", object]], { mayExist: true });
    expect(cluster.objects.get("configmaps/x/a")).toMatchObject({ data: { value: "1" } });
  });

  it("deletes what is to go, and only looks when it is gone", async () => {
    const cluster = new MemoryCluster();
    cluster.set("configmaps", config("a"));
    const object = config("a", { "release.openshift.io/delete": "true" });
    await pass(cluster.passDeps(), [["a.yaml", object]]);
    expect(cluster.takeRequests()).toEqual(["GET configmaps/x/a", "DELETE configmaps/x/a"]);
    await pass(cluster.passDeps(), [["a.yaml", object]]);
    expect(cluster.takeRequests()).toEqual(["GET configmaps/x/a"]);
  });

  it("tells of what is to go and lingers, which keeps nothing from being done", async () => {
    const cluster = new MemoryCluster();
    const dying = config("a");
    cluster.set("configmaps", { ...dying, metadata: { ...dying.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } });
    const object = config("a", { "release.openshift.io/delete": "true" });
    const result = await pass(cluster.passDeps(), [["a.yaml", object]]);
    expect(result).toMatchObject({ done: 1, troubles: [], lingering: ['configmap "x/a"'] });
  });

  it("leaves alone what is overridden, and takes it up when it is not any more", async () => {
    const cluster = new MemoryCluster();
    const deps = cluster.passDeps();
    const files = [["a.yaml", config("a")]] as const;
    const overrides = [{ kind: "ConfigMap", group: "", namespace: "x", name: "a", unmanaged: true }];
    expect(await pass(deps, files, { overrides })).toMatchObject({ done: 1, troubles: [] });
    expect(cluster.takeRequests()).toEqual([]);
    await pass(deps, files, { overrides: [{ ...overrides[0], unmanaged: false } as (typeof overrides)[0]] });
    expect(cluster.takeRequests()).toEqual(["POST configmaps/x/a"]);
  });

  it("makes a role without rules first: to give more than one has goes by name, and creation has none", async () => {
    const cluster = new MemoryCluster();
    const rules = [{ apiGroups: [""], resources: ["nodes"], verbs: ["get"] }];
    const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "r" }, rules };
    const sent: unknown[] = [];
    cluster.before = () => void sent.push(cluster.objects.get("clusterroles/r"));
    await pass(cluster.passDeps(), [["a.yaml", role]]);
    expect(cluster.takeRequests()).toEqual(["POST clusterroles/r", "PUT clusterroles/r"]);
    expect(sent[1]).toMatchObject({ rules: [] });
    expect(cluster.objects.get("clusterroles/r")).toMatchObject({ rules });
  });

  it("goes no further than a Job, whatever the mode", async () => {
    const cluster = new MemoryCluster();
    const result = await pass(cluster.passDeps(), [
      ["0000_10_a_00.yaml", job],
      ["0000_20_a_00.yaml", config("a")],
    ]);
    expect(result.troubles.map(({ reason }) => reason)).toEqual(["JobNotComplete"]);
    expect(cluster.takeRequests()).toEqual(["POST jobs/x/job"]);
  });

  it("waits for a rollout while it updates, and not for a Pod that is lost later", async () => {
    const deployment = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "d", namespace: "x" },
      spec: { replicas: 1, selector: {}, template: {} },
    } as Deployment;
    const troubles = async (mode: PassSpec["mode"]) =>
      (await pass(new MemoryCluster().passDeps(), [["a.yaml", deployment]], { mode })).troubles;
    expect(await troubles("updating")).toMatchObject([{ effect: "wait", reason: "WorkloadNotAvailable", name: "x/d" }]);
    expect(await troubles("reconciling")).toEqual([]);
  });
});

describe("an object of an API that not every cluster has", () => {
  it("is left out without a complaint, and taken up at its turn when the API appears", async () => {
    const cluster = new MemoryCluster();
    const monitor = object("monitoring.coreos.com/v1", "ServiceMonitor");
    const deps = cluster.passDeps(100_000);
    cluster.missingKinds.add("ServiceMonitor");
    const files = [["a.yaml", monitor]] as const;
    expect(await pass(deps, files)).toMatchObject({ done: 1, troubles: [] });
    cluster.missingKinds.clear();
    await pass(deps, files);
    expect(cluster.takeRequests()).toEqual([]);
    await cluster.clock.advance(100_000);
    await pass(deps, files);
    expect(cluster.takeRequests()).toEqual(["POST servicemonitors/x/n"]);
  });
});

describe("a failure", () => {
  it("names the object, its place and what the server said, and keeps its group from going on", async () => {
    const cluster = new MemoryCluster();
    cluster.before = (request) => {
      if (request.endsWith("configmaps/x/a")) throw refusal(403, "Forbidden");
    };
    const files = [
      ["0000_10_a_00.yaml", config("a")],
      ["0000_10_a_01.yaml", config("a2")],
      ["0000_10_b_00.yaml", config("b")],
    ] as const;
    const result = await pass(cluster.passDeps(), files);
    expect(result.troubles).toMatchObject([{ effect: "fail", reason: "UpdatePayloadResourceForbidden" }]);
    expect(result.troubles[0]?.message).toMatch(
      /^Could not update configmap "x\/a" \(1 of 3\): the server has forbidden updates: /u,
    );
    expect([...cluster.objects.keys()]).toEqual(["configmaps/x/b"]);
  });

  it("never quotes what is in a Secret", async () => {
    const cluster = new MemoryCluster();
    cluster.before = () => {
      throw refusal(422, "Invalid");
    };
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace: "x" } } as KubernetesObject;
    const { troubles } = await pass(cluster.passDeps(), [["a.yaml", secret]]);
    expect(troubles[0]?.message).toBe('Could not update secret "x/s" (1 of 1): the object is invalid: Invalid');
  });

  it("of a server that is down is met with few requests", async () => {
    const cluster = new MemoryCluster();
    cluster.before = () => {
      throw refusal(503, "ServiceUnavailable");
    };
    const files = Array.from({ length: 9 }, (_, index) => [`0000_10_${index}_00.yaml`, config(`c${index}`)] as const);
    expect((await pass(cluster.passDeps(), files)).troubles).toHaveLength(3);
  });

  it("of a kind that has vanished has its definition looked at in the next pass", async () => {
    const cluster = new MemoryCluster();
    const definition = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "widgets.test" },
      spec: {},
      status: { conditions: [{ type: "Established", status: "True" }] },
    } as KubernetesObject;
    const widget = {
      apiVersion: "test/v1",
      kind: "Widget",
      metadata: { name: "w", namespace: "x" },
    } as KubernetesObject;
    const files = [
      ["a.yaml", definition],
      ["b.yaml", widget],
    ] as const;
    const deps = cluster.passDeps();
    cluster.missingKinds.add("Widget");
    const { troubles } = await pass(deps, files, { mode: "reconciling" });
    expect(troubles).toMatchObject([{ reason: "UpdatePayloadResourceTypeMissing" }]);
    cluster.missingKinds.clear();
    cluster.objects.clear();
    cluster.takeRequests();
    await pass(deps, files, { mode: "reconciling" });
    expect([...cluster.objects.keys()]).toEqual(["customresourcedefinitions/widgets.test", "widgets/x/w"]);
  });
});
