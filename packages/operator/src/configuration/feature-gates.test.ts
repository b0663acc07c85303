import { type FeatureGate, featureGates } from "@stowage/machinery";
import { expect, it, test } from "vitest";
import { MemoryInformers } from "../fixtures/memory-informers.ts";
import { enabledGates, featureGateSource } from "./feature-gates.ts";

const gates: FeatureGate = {
  apiVersion: "config.openshift.io/v1",
  kind: "FeatureGate",
  metadata: { name: "cluster" },
  spec: {},
  status: {
    featureGates: [
      { version: "1.0.0", enabled: [{ name: "Old" }], disabled: [{ name: "New" }] },
      { version: "1.1.0", enabled: [{ name: "Old" }, { name: "New" }] },
    ],
  },
};

test.each<[string, FeatureGate | undefined, string | undefined, string[]]>([
  ["those of its own version", gates, "1.0.0", ["Old"]],
  ["those of the version that is coming, for its operator", gates, "1.1.0", ["Old", "New"]],
  ["none of a version that nobody has decided on yet", gates, "1.2.0", []],
  ["none for an operator that does not know its version", gates, undefined, []],
  ["none in a cluster without them", undefined, "1.0.0", []],
])("an operator has %s", (_case, featureGate, version, expected) => {
  expect([...enabledGates(featureGate, version)]).toEqual(expected);
});

it("gates are none where the API is missing, and found when it appears", async () => {
  const informers = new MemoryInformers();
  informers.missing.add(featureGates.plural);
  const source = featureGateSource({ mapper: informers.mapper, informers }, "1.0.0");
  const { signal } = new AbortController();
  expect([...(await source.enabled(signal))]).toEqual([]);
  expect(informers.watched).toEqual([]);
  informers.missing.clear();
  informers.set(featureGates, gates);
  expect([...(await source.enabled(signal))]).toEqual(["Old"]);
});
