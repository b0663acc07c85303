import { describe, expect, it, test } from "vitest";
import { map, pod } from "../fixtures/cluster-objects.ts";
import { gracefulSeconds, outcomeOf } from "./content-deletion.ts";
import { desiredConditions, type Emptying } from "./namespace-conditions.ts";

const nowMs = Date.parse("2026-01-01T00:00:00Z");
const empty: Emptying = { contentFailures: [], remainders: [] };
const said = (emptying: Emptying, type: string) =>
  desiredConditions(undefined, emptying, nowMs)?.find((condition) => condition.type === type);

describe("the conditions of a namespace that is being deleted", () => {
  it("are five, and false, when nothing is left", () => {
    const conditions = desiredConditions(undefined, empty, nowMs) ?? [];
    expect(conditions.map(({ reason, status }) => `${reason} ${status}`)).toEqual([
      "ResourcesDiscovered False",
      "ParsedGroupVersions False",
      "ContentDeleted False",
      "ContentRemoved False",
      "ContentHasNoFinalizers False",
    ]);
  });

  it("are not written twice", () => {
    const conditions = desiredConditions(undefined, empty, nowMs);
    expect(desiredConditions(conditions, empty, nowMs + 60_000)).toBeUndefined();
  });

  it("tell what is left, and what keeps it", () => {
    const remainders = [
      { resource: "secrets.", count: 1, finalizers: new Map([["example.org/b", 1]]) },
      { resource: "configmaps.", count: 2, finalizers: new Map([["example.org/a", 2]]).set("example.org/b", 1) },
    ];
    expect(said({ ...empty, remainders }, "NamespaceContentRemaining")).toMatchObject({
      status: "True",
      reason: "SomeResourcesRemain",
      message: "Some resources are remaining: configmaps. has 2 resource instances, secrets. has 1 resource instances",
    });
    expect(said({ ...empty, remainders }, "NamespaceFinalizersRemaining")?.message).toBe(
      "Some content in the namespace has finalizers remaining: example.org/a in 2 resource instances, example.org/b in 2 resource instances",
    );
  });

  it("tell what failed", () => {
    expect(said({ ...empty, contentFailures: ["b", "a"] }, "NamespaceDeletionContentFailure")).toMatchObject({
      status: "True",
      reason: "ContentDeletionFailed",
      message: "Failed to delete all resource types, 2 remaining: a, b",
    });
    expect(said({ ...empty, discoveryFailure: "no answer" }, "NamespaceDeletionDiscoveryFailure")).toMatchObject({
      status: "True",
      reason: "DiscoveryFailed",
      message: "no answer",
    });
  });
});

describe("what is left of a resource", () => {
  const configMaps = { group: "", version: "v1", plural: "configmaps" };

  it("is nothing once all are gone", () => {
    expect(outcomeOf(configMaps, "shop", [], 30)).toEqual({ estimateSeconds: 0 });
  });

  it("is given time for its finalizers", () => {
    const kept = map("a", { finalizers: ["example.org/kept"] });
    expect(outcomeOf(configMaps, "shop", [kept, map("b")], 0)).toEqual({
      remainder: { resource: "configmaps.", count: 2, finalizers: new Map([["example.org/kept", 1]]) },
      estimateSeconds: 15,
    });
  });

  it("is a failure where nothing keeps it", () => {
    expect(outcomeOf(configMaps, "shop", [map("a")], 0).failure).toBe(
      "unexpected items still remain in namespace: shop for gvr: /v1, Resource=configmaps",
    );
    const deployments = { group: "apps", version: "v1", plural: "deployments" };
    expect(outcomeOf(deployments, "shop", [map("a")], 0).failure).toMatch(/for gvr: apps\/v1, Resource=deployments$/u);
  });
});

test("Pods are given as long as the slowest that still runs may take", () => {
  const grace = (seconds: number, phase: "Running" | "Succeeded" = "Running") =>
    pod("a", { spec: { terminationGracePeriodSeconds: seconds }, status: { phase } });
  expect(gracefulSeconds([grace(30), grace(60), grace(600, "Succeeded")])).toBe(60);
  expect(gracefulSeconds([])).toBe(0);
});
