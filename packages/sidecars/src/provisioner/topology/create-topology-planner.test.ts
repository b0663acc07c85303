import type { InformerFactory } from "@stowage/kube";
import type { PersistentVolumeClaim } from "@stowage/machinery";
import { expect, test } from "vitest";
import type { DriverProfile } from "../../driver/index.ts";
import type { ClusterTopology } from "./cluster-topology.ts";
import { createTopologyPlanner } from "./create-topology-planner.ts";
import { topologyDefaults } from "./desired-requirement.ts";

const claim = { metadata: { name: "c", uid: "u" } } as PersistentVolumeClaim;
const informers = {} as InformerFactory; // Whoever asks it for anything fails.

function driverWith(
  ...plugin: DriverProfile["plugin"] extends ReadonlySet<infer Name> ? Name[] : never
): DriverProfile {
  return { name: "d", plugin: new Set(plugin), controller: new Set(), groupController: new Set() };
}

/** One node whose facts can change. */
function changingNode() {
  const node: { keys: string[] | undefined; labels: Record<string, string> | undefined } = {
    keys: ["zone"],
    labels: { zone: "a" },
  };
  const cluster: ClusterTopology = {
    driverNode: (name) => node.keys && { name, keys: node.keys },
    driverNodes: () => (node.keys ? [{ name: "n", keys: node.keys }] : []),
    labelsOf: () => node.labels,
    labels: () => (node.labels ? [node.labels] : []),
  };
  return { node, cluster };
}

test("a driver without topology is told nothing, and nodes are not watched for it", () => {
  const planner = createTopologyPlanner({ informers, driver: driverWith("CONTROLLER_SERVICE") }, topologyDefaults);
  expect(planner.requirementFor({ claim, selectedNode: "n" })).toBeUndefined();
});

test.each([undefined, "n"])("retries say the same until the claim is forgotten (selected node: %s)", (selectedNode) => {
  const { node, cluster } = changingNode();
  const driver = driverWith("VOLUME_ACCESSIBILITY_CONSTRAINTS");
  const planner = createTopologyPlanner({ informers, driver, cluster }, topologyDefaults);
  const first = planner.requirementFor({ claim, selectedNode });
  expect(first?.requisite).toEqual([{ segments: { zone: "a" } }]);

  node.labels = { zone: "b" };
  expect(planner.requirementFor({ claim, selectedNode })).toEqual(first);
  node.keys = undefined;
  node.labels = undefined;
  expect(planner.requirementFor({ claim, selectedNode })).toEqual(first);

  planner.forget("u");
  expect(() => planner.requirementFor({ claim, selectedNode })).toThrow(/CSINode|any node/);
});

test("what could not be worked out is looked at anew", () => {
  const { node, cluster } = changingNode();
  const driver = driverWith("VOLUME_ACCESSIBILITY_CONSTRAINTS");
  const planner = createTopologyPlanner({ informers, driver, cluster }, topologyDefaults);
  node.labels = undefined;
  expect(() => planner.requirementFor({ claim, selectedNode: "n" })).toThrow(
    expect.objectContaining({ code: "TOPOLOGY_UNKNOWN" }),
  );
  node.keys = undefined;
  expect(() => planner.requirementFor({ claim, selectedNode: "n" })).toThrow(
    expect.objectContaining({ code: "TOPOLOGY_RESCHEDULE" }),
  );
});
