import { VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import {
  hasErrorCode,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  statefulSets,
  storageClasses,
} from "@stowage/machinery";
import type { Sidecar, SidecarDeps } from "@stowage/sidecars";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  createTopologyPlanner,
  desiredNodeAffinity,
  type TopologyPlanner,
  topologyDefaults,
  topologyRules,
} from "../../packages/sidecars/src/provisioner/topology/index.ts";
import { DriverNodes } from "./driver-nodes.ts";
import { type SidecarBench, startSidecarBench } from "./sidecar-bench.ts";

const SOON = { timeout: 60_000, interval: 50 };
const ZONE = "topology.mock.test/zone";
let bench: SidecarBench;
let nodes: DriverNodes;
let planner: TopologyPlanner;

/** Reads what the planner needs by the planner's rights, and does nothing else. */
function plannerAlone(deps: SidecarDeps): Sidecar {
  planner = createTopologyPlanner(deps, topologyDefaults);
  return {
    name: "planner",
    run: (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true })),
  };
}

beforeAll(async () => {
  bench = await startSidecarBench({
    driver: { topology: { [ZONE]: "a" } },
    rules: [topologyRules],
    sidecars: plannerAlone,
  });
  nodes = new DriverNodes(bench);
  for (const zone of ["c", "a", "b"]) await nodes.add(`node-${zone}`, { labels: { [ZONE]: zone }, keys: [ZONE] });
  await vi.waitFor(() => expect(zonesOf(claim("any"))).toHaveLength(3), SOON);
  planner.forget("uid-any");
});

afterAll(async () => {
  await nodes[Symbol.asyncDispose]();
  await bench[Symbol.asyncDispose]();
});

const claim = (name: string): PersistentVolumeClaim => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name, namespace: "ns", uid: `uid-${name}` },
});

/** In the order in which they are preferred; none while they are not known. */
function zonesOf(of: PersistentVolumeClaim, selectedNode?: string): string[] {
  try {
    const requirement = planner.requirementFor({ claim: of, selectedNode });
    return (requirement?.preferred ?? []).map(({ segments }) => segments?.[ZONE] ?? "");
  } catch (error) {
    if (hasErrorCode(error, "TOPOLOGY_UNKNOWN")) return [];
    throw error;
  }
}

it("spreads the claims of a StatefulSet over the zones, and keeps those of one Pod together", async () => {
  const { client, namespace } = bench;
  const storageClassName = namespace;
  await client.create(storageClasses, { metadata: { name: storageClassName }, provisioner: bench.driverName });
  const template = (name: string) => ({
    apiVersion: "v1" as const,
    kind: "PersistentVolumeClaim" as const,
    metadata: { name },
    spec: { storageClassName, accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } },
  });
  await client.create(statefulSets, {
    metadata: { namespace, name: "web" },
    spec: {
      replicas: 4,
      serviceName: "web",
      podManagementPolicy: "Parallel",
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "web", image: "none" }] },
      },
      volumeClaimTemplates: [template("data"), template("logs")],
    },
  });
  const claims = await vi.waitFor(async () => {
    const { items } = await client.list(persistentVolumeClaims, { namespace });
    expect(items).toHaveLength(8);
    return items;
  }, SOON);
  const first = new Map(claims.map((each) => [each.metadata.name, zonesOf(each)[0]]));
  const zonesInTurn = [0, 1, 2, 3].map((ordinal) => first.get(`data-web-${ordinal}`));
  expect(new Set(zonesInTurn.slice(0, 3))).toEqual(new Set(["a", "b", "c"]));
  expect(zonesInTurn[3]).toBe(zonesInTurn[0]);
  expect([0, 1, 2, 3].map((ordinal) => first.get(`logs-web-${ordinal}`))).toEqual(zonesInTurn);
  await client.delete(storageClasses, { name: storageClassName });
});

describe("with a selected node", () => {
  it("makes the volume in its zone, with an affinity that the API server takes", async () => {
    const { client, deps, namespace } = bench;
    const accessibilityRequirements = planner.requirementFor({
      claim: claim("bound"),
      selectedNode: nodes.nameOf("node-b"),
    });
    const { volume } = await deps.csi.controller.createVolume({
      name: `${namespace}-bound`,
      volumeCapabilities: [{ accessMode: { mode: Mode.SINGLE_NODE_WRITER }, accessType: { case: "mount", value: {} } }],
      accessibilityRequirements,
    });
    const made = await client.create(persistentVolumes, {
      metadata: { name: `${namespace}-bound` },
      spec: {
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "1Gi" },
        csi: { driver: bench.driverName, volumeHandle: volume?.volumeId ?? "" },
        nodeAffinity: desiredNodeAffinity(volume?.accessibleTopology ?? []),
      },
    });
    expect(made.spec?.nodeAffinity).toEqual({
      required: { nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: "In", values: ["b"] }] }] },
    });
    await client.delete(persistentVolumes, { name: `${namespace}-bound` });
  });

  it("says the same again when the labels have changed or the node is gone", async () => {
    await nodes.add("fleeting", { labels: { [ZONE]: "d" }, keys: [ZONE] });
    const selectedNode = nodes.nameOf("fleeting");
    const fleeting = claim("fleeting");
    await vi.waitFor(() => expect(zonesOf(fleeting, selectedNode)).toEqual(["d", "a", "b", "c"]), SOON);
    await nodes.setLabels("fleeting", { [ZONE]: "e" });
    await nodes.unregister("fleeting");
    // Another claim shows that the change has arrived.
    const isGone = () => {
      planner.forget("uid-other");
      planner.requirementFor({ claim: claim("other"), selectedNode });
    };
    await vi.waitFor(() => expect(isGone).toThrow(expect.objectContaining({ code: "TOPOLOGY_RESCHEDULE" })), SOON);
    expect(zonesOf(fleeting, selectedNode)).toEqual(["d", "a", "b", "c"]);
    planner.forget("uid-fleeting");
    expect(() => zonesOf(fleeting, selectedNode)).toThrow(/has no CSINode/);
  });

  it("waits for labels and Nodes that are not there yet", async () => {
    await nodes.add("late", { labels: {}, keys: [ZONE] });
    await nodes.add("nodeless", { keys: [ZONE] });
    const failure = (node: string) => () =>
      planner.requirementFor({ claim: claim(node), selectedNode: nodes.nameOf(node) });
    await vi.waitFor(() => expect(failure("late")).toThrow(/lacks some of them/), SOON);
    await vi.waitFor(() => expect(failure("nodeless")).toThrow(/there is no Node/), SOON);
    await nodes.setLabels("late", { [ZONE]: "c" });
    await vi.waitFor(() => expect(zonesOf(claim("late"), nodes.nameOf("late"))[0]).toBe("c"), SOON);
  });
});
