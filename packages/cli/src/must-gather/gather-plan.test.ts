import type { DiscoveredResource, ServerResources } from "@stowage/kube";
import type { Event, Pod } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { bystanderPod, usesStorage } from "./bystander-pod.ts";
import { assumedPlan, gatherPlan, resourceName } from "./gather-plan.ts";
import { logsOf } from "./log-gathering.ts";
import { isSince, pathOf } from "./object-gathering.ts";

function resource(name: string, version: string, namespaced: boolean, verbs = ["list"]): DiscoveredResource {
  const [plural = "", ...group] = name.split(".");
  return { plural, group: group.join("."), version, namespaced, verbs } as unknown as DiscoveredResource;
}

function server(...resources: DiscoveredResource[]): ServerResources {
  const byGroup = Map.groupBy(resources, ({ group }) => group);
  const groups = [...byGroup].map(([name, own]) => ({
    name,
    versions: [...Map.groupBy(own, ({ version }) => version)].map(([version, some]) => ({ version, resources: some })),
  }));
  return { groups, failures: [] };
}

describe("what is gathered", () => {
  const plan = gatherPlan(
    server(
      resource("pods", "v1", true),
      resource("secrets", "v1", true),
      resource("bindings", "v1", true, ["create"]),
      resource("events", "v1", true),
      resource("events.events.k8s.io", "v1", true),
      resource("persistentvolumes", "v1", false),
      resource("persistentvolumeclaims", "v1", true),
      resource("namespaces", "v1", false),
      resource("storageclasses.storage.k8s.io", "v1", false),
      resource("storageclasses.storage.k8s.io", "v1beta1", false),
      resource("volumeattributesclasses.storage.k8s.io", "v1beta1", false),
      resource("clustercsidrivers.operator.openshift.io", "v1", false),
      resource("widgets.example.com", "v1", false),
      resource("gadgets.example.com", "v1", true),
      resource("pods.metrics.k8s.io", "v1", true),
    ),
  );

  it("of the whole cluster is what has to do with storage, each in one version", () => {
    expect(plan.clusterScoped.map((type) => `${resourceName(type)} ${type.version}`)).toEqual([
      "persistentvolumes v1",
      "storageclasses.storage.k8s.io v1",
      "volumeattributesclasses.storage.k8s.io v1beta1",
      "clustercsidrivers.operator.openshift.io v1",
    ]);
    expect(plan.everywhere.map(resourceName)).toEqual(["pods", "events", "persistentvolumeclaims"]);
  });

  it("of the chain's namespaces is everything, but Secrets, which have come before, and what is taken everywhere", () => {
    expect(plan.inNamespaces.map(resourceName)).toEqual(["pods", "events", "gadgets.example.com"]);
  });

  it("is the usual where the server cannot say what it has", () => {
    const { clusterScoped, everywhere, inNamespaces } = assumedPlan();
    expect(clusterScoped.map(resourceName)).toContain("clustercsidrivers.operator.openshift.io");
    expect(everywhere.map(resourceName)).toContain("volumesnapshots.snapshot.storage.k8s.io");
    expect(inNamespaces.map(resourceName)).toContain("daemonsets.apps");
  });

  test.each([
    ["nodes", undefined, "cluster-scoped-resources/core/nodes/x.yaml"],
    ["csidrivers.storage.k8s.io", undefined, "cluster-scoped-resources/storage.k8s.io/csidrivers/x.yaml"],
    ["configmaps", "n", "namespaces/n/core/configmaps/x.yaml"],
    ["deployments.apps", "n", "namespaces/n/apps/deployments/x.yaml"],
    ["pods", "n", "namespaces/n/pods/x/x.yaml"],
  ])("is laid out as others do it: %s of %s in %s", (name, namespace, path) => {
    const object = { apiVersion: "", kind: "", metadata: { name: "x", namespace } };
    expect(pathOf(resource(name, "v1", namespace !== undefined), object).join("/")).toBe(path);
  });
});

describe("a Pod of somebody else", () => {
  const pod = (volume: object): Pod => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", annotations: { a: "b" } },
    spec: {
      containers: [{ name: "c", image: "i", args: ["x"], env: [{ name: "A", value: "b" }], envFrom: [] }],
      volumes: [{ name: "v", ...volume }],
    },
  });

  test.each([
    [{ persistentVolumeClaim: { claimName: "c" } }, true],
    [{ csi: { driver: "d" } }, true],
    [{ ephemeral: {} }, true],
    [{ emptyDir: {} }, false],
  ])("with %j matters: %s", (volume, expected) => {
    expect(usesStorage(pod(volume))).toBe(expected);
  });

  it("is written without what it runs", () => {
    const { metadata, spec } = bystanderPod(pod({ csi: { driver: "d" } }));
    expect(metadata).toEqual({ name: "p" });
    expect(spec?.containers).toEqual([{ name: "c", image: "i", volumeMounts: undefined, volumeDevices: undefined }]);
    expect(spec?.volumes).toEqual([{ name: "v", csi: { driver: "d" } }]);
  });
});

describe("logs", () => {
  const container = { name: "c", image: "", imageID: "", ready: true };

  test.each([
    ["that runs", { restartCount: 0, state: { running: {} } }, ["current"]],
    ["that has never run", { restartCount: 0, state: { waiting: {} } }, []],
    ["that ran before", { restartCount: 2, state: { waiting: {} } }, ["current", "previous"]],
    ["that has ended", { restartCount: 0, state: { terminated: { exitCode: 0 } } }, ["current"]],
  ])("of a container %s are %j", (_, state, expected) => {
    const status = { containerStatuses: [{ ...container, ...state }] };
    const logs = logsOf({ apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "n" }, status });
    expect(logs.map(({ isPrevious }) => (isPrevious ? "previous" : "current"))).toEqual(expected);
  });
});

test.each([
  [{ lastTimestamp: "2026-01-02T00:00:00Z" }, true],
  [{ lastTimestamp: "2025-12-31T00:00:00Z" }, false],
  [
    { eventTime: "2025-12-31T00:00:00.000000Z", series: { count: 2, lastObservedTime: "2026-01-02T00:00:00.000000Z" } },
    true,
  ],
  [{}, true],
])("an event with %j is recent: %s", (times, expected) => {
  const event = { apiVersion: "v1", kind: "Event", metadata: {}, involvedObject: {}, ...times } as Event;
  expect(isSince(event, Date.UTC(2026, 0, 1))).toBe(expected);
});
