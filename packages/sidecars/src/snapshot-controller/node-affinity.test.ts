import type { MetadataOnly, NodeSelectorTerm, PersistentVolume } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { nodeOfVolume } from "./node-affinity.ts";

const nodes: MetadataOnly[] = [
  { apiVersion: "v1", kind: "Node", metadata: { name: "b", labels: { zone: "2", cpu: "16" } } },
  { apiVersion: "v1", kind: "Node", metadata: { name: "a", labels: { zone: "1", cpu: "4", ssd: "" } } },
];

function volume(nodeSelectorTerms?: NodeSelectorTerm[]): PersistentVolume {
  const spec = nodeSelectorTerms === undefined ? {} : { nodeAffinity: { required: { nodeSelectorTerms } } };
  return { apiVersion: "v1", kind: "PersistentVolume", metadata: {}, spec };
}

const label = (key: string, operator: string, ...values: string[]) =>
  ({ matchExpressions: [{ key, operator, values }] }) as NodeSelectorTerm;

describe("the node of a volume", () => {
  it.each<[string, NodeSelectorTerm[] | undefined, string | undefined]>([
    ["is none without affinity", undefined, undefined],
    ["is the one with the label", [label("zone", "In", "2", "3")], "b"],
    ["is one of several terms", [label("zone", "In", "9"), label("zone", "In", "1")], "a"],
    ["is the first by name of several", [label("zone", "In", "1", "2")], "a"],
    ["is none when none fits", [label("zone", "In", "9")], undefined],
    ["may lack a value", [label("zone", "NotIn", "1")], "b"],
    ["may have a label", [label("ssd", "Exists")], "a"],
    ["may lack a label", [label("ssd", "DoesNotExist")], "b"],
    ["may have more", [label("cpu", "Gt", "8")], "b"],
    ["may have less", [label("cpu", "Lt", "8")], "a"],
    ["is not compared by what is no number", [label("zone", "Gt", "x")], undefined],
    ["may be given by name", [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["b"] }] }], "b"],
    ["is none of an empty term", [{}], undefined],
    ["is none of an operator that nobody knows", [label("zone", "Near", "1")], undefined],
  ])("%s", (_what, terms, name) => {
    expect(nodeOfVolume(volume(terms), nodes)).toBe(name);
  });
});
