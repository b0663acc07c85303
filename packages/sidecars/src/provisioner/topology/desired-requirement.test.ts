import type { Labels, PersistentVolumeClaim, TopologySelectorTerm } from "@stowage/machinery";
import { describe, expect, test } from "vitest";
import type { ClusterTopology } from "./cluster-topology.ts";
import { desiredRequirement, type TopologyOptions, topologyDefaults } from "./desired-requirement.ts";
import { segmentsOf, termOf } from "./topology-term.ts";

/** `{ n1: { keys: ["zone"], labels: { zone: "a" } } }`; without keys the node has no CSINode, without labels no Node. */
type Nodes = Record<string, { keys?: readonly string[]; labels?: Labels }>;

function clusterOf(nodes: Nodes): ClusterTopology {
  const registered = Object.entries(nodes).flatMap(([name, { keys }]) => (keys ? [{ name, keys }] : []));
  return {
    driverNode: (name) => registered.find((node) => node.name === name),
    driverNodes: () => registered,
    labelsOf: (name) => nodes[name]?.labels,
    labels: () => Object.values(nodes).flatMap(({ labels }) => (labels ? [labels] : [])),
  };
}

const zone = (value: string) => ({ keys: ["zone"], labels: { zone: value, other: "label" } });
const threeZones: Nodes = { n3: zone("c"), n1: zone("a"), n2: zone("b"), n4: zone("a") };
const allow = (key: string, ...values: string[]): TopologySelectorTerm => ({
  matchLabelExpressions: [{ key, values }],
});

const both = (...keys: string[]): TopologySelectorTerm => ({
  matchLabelExpressions: keys.map((key) => ({ key, values: ["1"] })),
});
const twoKeys: Nodes = { n1: { keys: ["zone", "rack"], labels: { zone: "a", rack: "1" } }, n2: zone("b") };

interface Case {
  readonly nodes?: Nodes;
  readonly claim?: string;
  readonly node?: string;
  readonly allowed?: readonly TopologySelectorTerm[];
  readonly options?: Partial<TopologyOptions>;
}

/** `a b c → b c a`: the requisite and the preferred places. */
function plan({ nodes = threeZones, claim = "foobar", node, allowed, options }: Case): string {
  const wish = {
    claim: { metadata: { name: claim, uid: "u" } } as PersistentVolumeClaim,
    allowedTopologies: allowed,
    selectedNode: node,
  };
  const requirement = desiredRequirement(wish, clusterOf(nodes), { ...topologyDefaults, ...options });
  if (requirement === undefined) return "none";
  const text = (places: readonly { segments?: Labels }[] = []) =>
    places.map(({ segments = {} }) => Object.values(segmentsOf(termOf(segments))).join("+")).join(" ");
  return `${text(requirement.requisite)} → ${text(requirement.preferred)}`;
}

const strict = { strictTopology: true };
const notImmediate = { immediateTopology: false };

describe("without a selected node", () => {
  // The hash of foobar, 0x31f0b262, leaves 1 when divided by three.
  test.each<[string, Case, string]>([
    ["all places of the cluster, sorted, each once, from the hash of the name on", {}, "a b c → b c a"],
    ["ordinal 0", { claim: "data-foobar-0" }, "a b c → b c a"],
    ["ordinal 1", { claim: "data-foobar-1" }, "a b c → c a b"],
    ["ordinal 2", { claim: "data-foobar-2" }, "a b c → a b c"],
    ["ordinal 3", { claim: "data-foobar-3" }, "a b c → b c a"],
    ["another claim of the same Pod", { claim: "logs-foobar-1" }, "a b c → c a b"],
    ["the class's places when it names some", { allowed: [allow("zone", "d", "b")] }, "b d → b d"],
    ["the class's places though no node has them", { nodes: {}, allowed: [allow("zone", "x")] }, "x → x"],
    ["shorter terms first", { allowed: [allow("zone", "z"), allow("a", "1"), both("a", "zone")] }, "1 z 1+1 → z 1+1 1"],
    ["nothing when the driver does not want to be told", { options: notImmediate }, "none"],
    ["the class's places all the same", { options: notImmediate, allowed: [allow("zone", "b")] }, "b → b"],
    ["nothing when the class allows nothing in particular", { allowed: [{}] }, "none"],
    ["strictness does not matter", { options: strict }, "a b c → b c a"],
    [
      "nodes that lack a key do not count",
      { nodes: { ...threeZones, n5: { keys: ["zone"], labels: {} } } },
      "a b c → b c a",
    ],
    [
      "nodes with the labels count before the driver is there",
      { nodes: { n1: zone("a"), n2: { labels: { zone: "b" } } } },
      "a b → a b",
    ],
    [
      "the keys of most nodes",
      { nodes: { ...threeZones, n5: { keys: ["rack"], labels: { rack: "1" } } } },
      "a b c → b c a",
    ],
    [
      "other keys when no node has the labels of those",
      { nodes: { n1: { keys: ["new"], labels: { zone: "a" } }, n2: { keys: ["new"] }, n5: { keys: ["zone"] } } },
      "a → a",
    ],
  ])("%s", (_what, given, expected) => {
    expect(plan(given)).toBe(expected);
  });

  test.each<[string, Case, RegExp]>([
    ["no node with the driver", { nodes: { n1: { labels: { zone: "a" } } } }, /not registered on any node/],
    [
      "only nodes where the driver has no keys",
      { nodes: { n1: { keys: [], labels: {} } } },
      /not registered on any node/,
    ],
    ["no node with the labels", { nodes: { n1: { keys: ["zone"], labels: {} } } }, /zone were not found on any node/],
  ])("is tried again while there is %s", (_what, given, message) => {
    expect(() => plan(given)).toThrow(
      expect.objectContaining({ code: "TOPOLOGY_UNKNOWN", message: expect.stringMatching(message) }),
    );
  });
});

describe("with a selected node", () => {
  test.each<[string, Case, string]>([
    ["all places, beginning at the node's", { node: "n2" }, "a b c → b c a"],
    ["whatever the claim is called", { node: "n3", claim: "data-foobar-1" }, "a b c → c a b"],
    ["the class's places, beginning at the node's", { node: "n2", allowed: [allow("zone", "a", "b")] }, "a b → b a"],
    [
      "a class's place that says less than the node's",
      { node: "n1", nodes: twoKeys, allowed: [allow("zone", "b"), allow("zone", "a")] },
      "a b → a b",
    ],
    ["the node's keys, though others have more", { node: "n2", nodes: { ...twoKeys, n2: zone("b") } }, "a b → b a"],
    ["strict: the node's place alone", { node: "n2", options: strict }, "b → b"],
    ["strict: if the class allows it", { node: "n2", options: strict, allowed: [allow("zone", "a", "b")] }, "b → b"],
    ["told also to drivers that do not want to know otherwise", { node: "n2", options: notImmediate }, "a b c → b c a"],
    ["nothing when the class allows nothing in particular", { node: "n2", allowed: [{}] }, "none"],
  ])("%s", (_what, given, expected) => {
    expect(plan(given)).toBe(expected);
  });

  test("without a CSINode the scheduler must choose anew", () => {
    expect(() => plan({ node: "gone" })).toThrow(expect.objectContaining({ code: "TOPOLOGY_RESCHEDULE" }));
  });

  test.each<[string, Case, RegExp]>([
    [
      "the driver is not registered there",
      { nodes: { n1: { keys: [], labels: { zone: "a" } } } },
      /no topology key found for node n1/,
    ],
    ["the Node is missing", { nodes: { n1: { keys: ["zone"] } } }, /there is no Node n1/],
    ["the Node lacks a label", { nodes: { n1: { keys: ["zone"], labels: {} } } }, /lacks some/],
    ["the class does not allow its place", { allowed: [allow("zone", "b")] }, /zone=a, is none of zone=b/],
    [
      "the class does not allow its place, strictly",
      { options: strict, allowed: [allow("zone", "b")] },
      /not in the class's allowed/,
    ],
    [
      "the class allows nothing in particular, strictly",
      { options: strict, allowed: [{}] },
      /not in the class's allowed/,
    ],
  ])("is tried again while %s", (_what, given, message) => {
    expect(() => plan({ node: "n1", ...given })).toThrow(
      expect.objectContaining({ code: "TOPOLOGY_UNKNOWN", message: expect.stringMatching(message) }),
    );
  });
});

test("a label with an empty value is a place, one that is missing is none", () => {
  const nodes: Nodes = {
    n1: { keys: ["zone"], labels: { zone: "" } },
    n2: { keys: ["zone"], labels: {} },
    n3: { keys: ["zone"], labels: { zone: "a" } },
  };
  expect(plan({ nodes, node: "n1" })).toBe(" a →  a");
  expect(plan({ nodes: { n2: { keys: ["zone"], labels: {} }, ...nodes }, node: "n3" })).toBe(" a → a ");
});
