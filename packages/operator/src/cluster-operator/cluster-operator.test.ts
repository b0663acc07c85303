import {
  type ClusterOperator,
  type ConditionStatus,
  clusterOperators,
  formatTime,
  type ManagementState,
  type RelatedObject,
} from "@stowage/machinery";
import { beforeEach, describe, expect, it } from "vitest";
import { MirroredClient } from "../fixtures/mirrored-client.ts";
import { OperatorWorld } from "../fixtures/operator-world.ts";
import type { OperatorController } from "../operator-controllers/index.ts";
import { type ClusterOperatorSpec, clusterOperatorController } from "./cluster-operator-controller.ts";

let world: OperatorWorld;
let client: MirroredClient;
let related: readonly RelatedObject[] | undefined;
let versions: Record<string, string>;

beforeEach(() => {
  world = new OperatorWorld();
  client = new MirroredClient(clusterOperators);
  related = [];
  versions = { operator: "4.20" };
});

const staticObjects = [{ group: "operator.openshift.io", resource: "storages", name: "cluster" }];
const driver = { group: "operator.openshift.io", resource: "clustercsidrivers", name: "ebs.csi.aws.com" };

function controller(spec: Partial<ClusterOperatorSpec> = {}): OperatorController {
  const deps = { ...world.deps, client, informers: client.informers, mapper: client.informers.mapper };
  return clusterOperatorController(deps, {
    name: "storage",
    versions: () => versions,
    staticObjects,
    relatedObjects: async () => related,
    ...spec,
  });
}

const clusterOperator = () => client.objects.get("clusteroperators/storage") as ClusterOperator | undefined;
const conditions = () =>
  clusterOperator()?.status?.conditions?.map(({ type, status, reason }) => `${type}=${status}/${reason}`);

function report(type: string, status: ConditionStatus): void {
  const lastTransitionTime = formatTime(world.clock.nowMs());
  world.change({ status: { conditions: [{ type, status, lastTransitionTime, reason: "R", message: "m" }] } });
}

describe("a ClusterOperator", () => {
  it("is made, told once, and told again when something changes", async () => {
    report("FooAvailable", "True");
    await world.runFor(controller(), async () => {
      expect(conditions()).toEqual([
        "Degraded=Unknown/NoData",
        "Progressing=Unknown/NoData",
        "Available=True/AsExpected",
        "Upgradeable=Unknown/NoData",
        "EvaluationConditionsDetected=Unknown/NoData",
      ]);
      await world.clock.advance(180_000);
      await world.settle();
      expect(client.requests).toEqual(["POST clusteroperators/storage", "PUT clusteroperators/storage"]);
      report("FooAvailable", "False");
      await world.settle();
      expect(conditions()).toContain("Available=False/Foo_R");
      expect(client.requests).toHaveLength(3);
    });
    expect(world.events.lines.at(-1)).toBe(
      "Normal OperatorStatusChanged Status for clusteroperator/storage changed: " +
        'Available changed from True to False ("FooAvailable: m")',
    );
  });

  it("is not written more often than it may be, and has the last word all the same", async () => {
    await world.runFor(controller({ writeIntervalMs: 1_000 }), async () => {
      client.requests.length = 0;
      for (const status of ["True", "False", "True", "False"] as const) {
        report("FooAvailable", status);
        await world.clock.advance(100);
        await world.settle();
      }
      expect(client.requests).toEqual([]);
      await world.clock.advance(600);
      await world.settle();
      expect(conditions()).toContain("Available=False/Foo_R");
      expect(client.requests).toEqual(["PUT clusteroperators/storage"]);
    });
  });

  it("is degraded two minutes after its operator is, without being asked before", async () => {
    await world.runFor(controller(), async () => {
      report("FooDegraded", "True");
      await world.settle();
      expect(conditions()).toContain("Degraded=False/AsExpected");
      await world.clock.advance(119_000);
      await world.settle();
      expect(conditions()).toContain("Degraded=False/AsExpected");
      await world.clock.advance(2_000);
      await world.settle();
      expect(conditions()).toContain("Degraded=True/Foo_R");
      report("FooDegraded", "False");
      await world.settle();
      expect(conditions()).toContain("Degraded=False/AsExpected");
    });
  });

  it("is not degraded by a trouble that passes", async () => {
    await world.runFor(controller(), async () => {
      report("FooDegraded", "True");
      await world.clock.advance(60_000);
      report("FooDegraded", "False");
      await world.clock.advance(600_000);
      await world.settle();
    });
    expect(world.events.lines.join()).not.toContain("to True");
  });

  it("keeps the time of a condition that has not changed", async () => {
    await world.runFor(controller(), async () => {
      report("FooAvailable", "True");
      await world.settle();
      const before = clusterOperator()?.status?.conditions;
      await world.clock.advance(60_000);
      versions = { operator: "4.21" };
      report("FooAvailable", "True");
      await world.settle();
      expect(clusterOperator()?.status?.conditions).toEqual(before);
      expect(clusterOperator()?.status?.versions).toEqual([{ name: "operator", version: "4.21" }]);
    });
  });

  it("of an operator that is not managed is not known", async () => {
    world.change({ spec: { managementState: "Unmanaged" as ManagementState } });
    await world.runFor(controller(), async () => {});
    expect(new Set(conditions()?.map((line) => line.split("=")[1]))).toEqual(new Set(["Unknown/Unmanaged"]));
    expect(conditions()).toHaveLength(5);
  });

  it("of an operator that may not be unmanaged is told all the same", async () => {
    world = new OperatorWorld({ managementState: "Unmanaged" }, { allowsUnmanaged: false, allowsRemoved: false });
    await world.runFor(controller(), async () => {});
    expect(conditions()).toContain("Degraded=Unknown/NoData");
  });

  it("goes with the operator's resource, and comes back with it", async () => {
    await world.runFor(controller(), async () => {
      const { server } = world;
      world.remove();
      await world.settle();
      expect(clusterOperator()).toBeUndefined();
      await world.clock.advance(180_000);
      await world.settle();
      const deletions = client.requests.filter((request) => request.startsWith("DELETE"));
      expect(deletions).toHaveLength(1);
      expect(world.events.lines.filter((line) => line.includes("StatusNotFound"))).toEqual([
        "Warning StatusNotFound Unable to determine current operator status for clusteroperator/storage",
      ]);
      world.set(server);
      await world.settle();
      expect(clusterOperator()).toBeDefined();
    });
  });

  it("that somebody deletes or changes is made right", async () => {
    await world.runFor(controller(), async () => {
      client.remove(clusterOperators, { name: "storage" });
      await world.settle();
      expect(conditions()).toHaveLength(5);
      client.set("clusteroperators", { ...(clusterOperator() as ClusterOperator), status: {} } as ClusterOperator);
      await world.settle();
      expect(conditions()).toHaveLength(5);
    });
  });

  it("is left out where the cluster has none, and made when it does", async () => {
    client.informers.missing.add("clusteroperators");
    await world.runFor(controller(), async () => {
      expect(client.requests).toEqual([]);
      client.informers.missing.clear();
      await world.clock.advance(60_000);
      await world.settle();
      expect(clusterOperator()).toBeDefined();
    });
  });
});

describe("versions", () => {
  it("are told with an event, and those that nobody tells any more go", async () => {
    const status = {
      versions: [
        { name: "old", version: "1" },
        { name: "operator", version: "4.19" },
      ],
    };
    const metadata = { name: "storage" };
    client.set("clusteroperators", { metadata, spec: {}, status } as ClusterOperator);
    await world.runFor(controller(), async () => {});
    expect(clusterOperator()?.status?.versions).toEqual([{ name: "operator", version: "4.20" }]);
    expect(world.events.lines[0]).toBe(
      'Normal OperatorVersionChanged clusteroperator/storage version "operator" changed from "4.19" to "4.20"',
    );
  });
});

describe("related objects", () => {
  it("are those of old until it is known which there are, and always the static ones", async () => {
    const status = { relatedObjects: [driver] };
    client.set("clusteroperators", { metadata: { name: "storage" }, spec: {}, status } as ClusterOperator);
    related = undefined;
    const running = controller();
    await world.runFor(running, async () => {
      expect(clusterOperator()?.status?.relatedObjects).toEqual([driver, ...staticObjects]);
      related = [];
      running.trigger();
      await world.settle();
      expect(clusterOperator()?.status?.relatedObjects).toEqual(staticObjects);
      related = [driver, ...staticObjects];
      running.trigger();
      await world.settle();
      expect(clusterOperator()?.status?.relatedObjects).toEqual([driver, ...staticObjects]);
    });
  });
});
