import type { ObjectMeta, Storage } from "@stowage/machinery";
import { beforeEach, describe, expect, it, test } from "vitest";
import { OperatorWorld } from "../fixtures/operator-world.ts";
import { generationStatus, lastGenerationOf } from "./generations.ts";
import { logVerbosity } from "./log-level.ts";
import { managementModeOf } from "./management-state.ts";
import { operatorFinalizer } from "./operator-client.ts";
import type { StatedCondition } from "./operator-status.ts";

let world: OperatorWorld;

beforeEach(() => {
  world = new OperatorWorld();
});

const available = (status: StatedCondition["status"], message?: string): StatedCondition => ({
  type: "FooAvailable",
  status,
  message,
});
const timeOf = (type: string) =>
  world.server.status?.conditions?.find((each) => each.type === type)?.lastTransitionTime;

describe("status", () => {
  it("is written once, however often it is said", async () => {
    for (let turn = 0; turn < 3; turn++) await world.operator.applyStatus("Foo", { conditions: [available("True")] });
    expect(world.requests).toEqual(["APPLY status Foo"]);
  });

  it("is written once also while the local copy lags behind", async () => {
    world.isLagging = true;
    for (let turn = 0; turn < 3; turn++) {
      await world.operator.applyStatus("Foo", { conditions: [available("True")] });
      await world.clock.advance(2000);
    }
    expect(world.requests).toHaveLength(1);
    expect(world.operator.current()?.status?.conditions).toHaveLength(1);
  });

  it("has the time of the last change of status, not of the last change of words", async () => {
    await world.operator.applyStatus("Foo", { conditions: [available("True", "a")] });
    const first = timeOf("FooAvailable");
    await world.clock.advance(5000);
    await world.operator.applyStatus("Foo", { conditions: [available("True", "b")] });
    expect(timeOf("FooAvailable")).toBe(first);
    await world.operator.applyStatus("Foo", { conditions: [available("False", "b")] });
    expect(timeOf("FooAvailable")).not.toBe(first);
    expect(world.requests).toHaveLength(3);
  });

  it("keeps the time of a condition that another process wrote", async () => {
    const condition = { ...available("True"), lastTransitionTime: "2020-01-01T00:00:00Z" };
    world.change({ status: { conditions: [condition] } });
    await world.operator.applyStatus("Foo", { conditions: [available("True", "new words")] });
    expect(timeOf("FooAvailable")).toBe("2020-01-01T00:00:00Z");
  });

  it("is written again when somebody has changed it", async () => {
    await world.operator.applyStatus("Foo", { conditions: [available("True")] });
    world.change({ status: { conditions: [] } });
    await world.operator.applyStatus("Foo", { conditions: [available("True")] });
    expect(world.requests).toHaveLength(2);
    expect(world.conditions).toEqual(["FooAvailable=True/: "]);
  });

  it("is written again after a write that failed", async () => {
    world.before = () => {
      throw new Error("connection lost");
    };
    await expect(world.operator.applyStatus("Foo", { conditions: [available("True")] })).rejects.toThrow(
      "connection lost",
    );
    world.before = () => {};
    await world.operator.applyStatus("Foo", { conditions: [available("True")] });
    expect(world.conditions).toEqual(["FooAvailable=True/: "]);
  });

  it("belongs to each manager by itself, and what one no longer says goes", async () => {
    await world.operator.applyStatus("Foo", { conditions: [available("True"), { type: "Old", status: "True" }] });
    await world.operator.applyStatus("Bar", { conditions: [{ type: "Bar", status: "False" }] });
    await world.operator.applyStatus("Foo", { conditions: [available("True")] });
    expect(world.conditions.toSorted()).toEqual(["Bar=False/: ", "FooAvailable=True/: "]);
  });

  it("has generations and versions too, and they count as differences", async () => {
    const generations = [{ group: "apps", resource: "deployments", namespace: "n", name: "d", lastGeneration: 1 }];
    await world.operator.applyStatus("Foo", { generations, version: "4.1", observedGeneration: 1 });
    await world.operator.applyStatus("Foo", { generations, version: "4.1", observedGeneration: 1 });
    await world.operator.applyStatus("Foo", { generations, version: "4.2", observedGeneration: 1 });
    expect(world.requests).toHaveLength(2);
    expect(world.server.status).toMatchObject({ generations, version: "4.2" });
  });

  it("cannot be written where there is no resource, and does not make one", async () => {
    world.remove();
    const writing = world.operator.applyStatus("Foo", { conditions: [available("True")] });
    await expect(writing).rejects.toMatchObject({ code: "OPERATOR_RESOURCE_MISSING" });
    expect(world.requests).toEqual([]);
  });
});

describe("observed configuration", () => {
  it("is written once, and again when it changes or somebody changes it", async () => {
    const proxy = { targetconfig: { proxy: { HTTP_PROXY: "http://p" } } };
    await world.operator.applyObservedConfig("C-ConfigObserver", proxy);
    await world.operator.applyObservedConfig("C-ConfigObserver", structuredClone(proxy));
    expect(world.requests).toEqual(["APPLY spec C-ConfigObserver"]);
    expect(world.server.spec).toEqual({ managementState: "Managed", observedConfig: proxy });
    world.change({ spec: { managementState: "Managed", observedConfig: {} } });
    await world.operator.applyObservedConfig("C-ConfigObserver", proxy);
    await world.operator.applyObservedConfig("C-ConfigObserver", {});
    expect(world.requests).toHaveLength(3);
  });
});

describe("an observed configuration of nothing", () => {
  it("is not written where there is none", async () => {
    await world.operator.applyObservedConfig("C-ConfigObserver", {});
    expect(world.requests).toEqual([]);
  });
});

describe("stale conditions", () => {
  it("are removed by place, each only if it is still there", async () => {
    const conditions = ["A", "B", "C", "D"].map((type) => ({ type, status: "True", lastTransitionTime: "t" }));
    world.change({ status: { conditions } } as unknown as Partial<Storage>);
    await world.operator.removeConditions(["A", "C", "Absent"]);
    expect(world.conditions).toEqual(["B=True/: ", "D=True/: "]);
    expect(world.requests).toEqual([
      'PATCH [{"op":"test","path":"/status/conditions/2/type","value":"C"},{"op":"remove","path":"/status/conditions/2"},' +
        '{"op":"test","path":"/status/conditions/0/type","value":"A"},{"op":"remove","path":"/status/conditions/0"}]',
    ]);
    await world.operator.removeConditions(["A", "C"]);
    expect(world.requests).toHaveLength(1);
  });
});

describe("a stale condition", () => {
  it("is not removed from a place where another has come to be meanwhile", async () => {
    const condition = (type: string) => ({ type, status: "True" as const, lastTransitionTime: "t" });
    world.change({ status: { conditions: [condition("Old"), condition("B")] } });
    world.isLagging = true;
    world.change({ status: { conditions: [condition("New"), condition("B")] } });
    await expect(world.operator.removeConditions(["Old"])).rejects.toMatchObject({ code: "INVALID_PATCH" });
    expect(world.conditions).toEqual(["New=True/: ", "B=True/: "]);
  });
});

describe("finalizers", () => {
  const finalizer = operatorFinalizer("aws-ebs-csi-driver-operator", "DeploymentController");

  it("are named after operator and controller", () => {
    expect(finalizer).toBe("aws-ebs-csi-driver-operator.operator.openshift.io/DeploymentController");
  });

  it("are added and removed once, beside those of others", async () => {
    world.change({ metadata: { ...world.server.metadata, finalizers: ["other"] } });
    await world.operator.ensureFinalizer(finalizer);
    await world.operator.ensureFinalizer(finalizer);
    expect(world.server.metadata.finalizers).toEqual(["other", finalizer]);
    await world.operator.removeFinalizer(finalizer);
    await world.operator.removeFinalizer(finalizer);
    expect(world.server.metadata.finalizers).toEqual(["other"]);
    expect(world.requests).toHaveLength(2);
  });

  it("survive that somebody else changes the list at the same time", async () => {
    world.isLagging = true;
    world.change({ metadata: { ...world.server.metadata, finalizers: ["other"] } });
    await world.operator.ensureFinalizer(finalizer);
    expect(world.server.metadata.finalizers).toEqual(["other", finalizer]);
  });

  it("are not added to what is being deleted, and nobody minds when it is gone", async () => {
    world.change({ metadata: { ...world.server.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } });
    await world.operator.ensureFinalizer(finalizer);
    world.remove();
    await world.operator.removeFinalizer(finalizer);
    expect(world.requests).toEqual([]);
  });
});

describe("the management state", () => {
  const yes = { allowsUnmanaged: true, allowsRemoved: true };
  const no = { allowsUnmanaged: false, allowsRemoved: false };

  test.each([
    ["Managed", false, yes, "sync"],
    ["", false, yes, "sync"],
    ["Force", false, yes, "sync"],
    ["Unmanaged", false, yes, "leave"],
    ["Unmanaged", false, no, "sync"],
    ["Unmanaged", true, yes, "leave"],
    ["Removed", false, yes, "remove"],
    ["Removed", false, no, "leave"],
    ["Managed", true, yes, "remove"],
    ["Managed", true, no, "leave"],
  ] as const)("%s (being deleted: %s) of %o means %s", (managementState, isDeleting, policy, mode) => {
    const metadata = isDeleting ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {};
    const resource = { apiVersion: "", kind: "", metadata, spec: { managementState: managementState as "Managed" } };
    expect(managementModeOf(resource, policy)).toBe(mode);
  });

  const held = { ...yes, holdFinalizer: "hold" };
  const comesBack = { ...yes, allowsDeletion: false };
  const deleted = { deletionTimestamp: "2026-01-01T00:00:00Z" };
  test.each([
    ["Managed", { ...deleted, finalizers: ["hold"] }, held, "sync"],
    ["Removed", { finalizers: ["hold", "other"] }, held, "sync"],
    ["Removed", { finalizers: ["other"] }, held, "remove"],
    ["Managed", deleted, held, "remove"],
    ["Unmanaged", { ...deleted, finalizers: ["hold"] }, held, "leave"],
    ["Managed", deleted, comesBack, "leave"],
    ["Removed", deleted, comesBack, "leave"],
    ["Removed", {}, comesBack, "remove"],
  ] as const)("%s of a resource with %j and %o means %s", (managementState, metadata, policy, mode) => {
    const resource = { apiVersion: "", kind: "", metadata: metadata as ObjectMeta, spec: { managementState } };
    expect(managementModeOf(resource, policy)).toBe(mode);
  });
});

test.each([
  ["Normal", 2],
  ["Debug", 4],
  ["Trace", 6],
  ["TraceAll", 8],
  ["", 2],
  ["Loud", 2],
  ["constructor", 2],
  [undefined, 2],
])("the log level %s is -v=%d", (level, verbosity) => {
  expect(logVerbosity(level)).toBe(verbosity);
});

describe("generations", () => {
  const deployments = { group: "apps", plural: "deployments" };
  const object = { metadata: { name: "d", namespace: "n", generation: 7 } };
  const status = { generations: [generationStatus(deployments, object)] };

  it("are found by group, resource, namespace and name", () => {
    expect(lastGenerationOf(status, deployments, object)).toBe(7);
    expect(lastGenerationOf(status, { group: "apps", plural: "daemonsets" }, object)).toBe(-1);
    expect(lastGenerationOf(status, deployments, { metadata: { name: "d", namespace: "other" } })).toBe(-1);
    expect(lastGenerationOf(undefined, deployments, object)).toBe(-1);
  });
});
