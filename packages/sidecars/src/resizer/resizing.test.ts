import type { PersistentVolumeSpec } from "@stowage/machinery";
import { expect, test } from "vitest";
import { volumeOf } from "./fixtures/claims.ts";
import { isOwnVolume } from "./resizing.ts";

const HOST = "topology.example.com/host";

function on(host: string): Partial<PersistentVolumeSpec> {
  const matchExpressions = [{ key: HOST, operator: "In" as const, values: [host] }];
  return { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } } };
}

test.each<[string, Partial<PersistentVolumeSpec>, Record<string, string> | undefined, boolean]>([
  ["a volume of the driver, where one resizer deals with all", on("other"), undefined, true],
  ["a volume of another driver", { csi: { driver: "other", volumeHandle: "v" } }, undefined, false],
  ["a volume on the resizer's node", on("here"), { [HOST]: "here" }, true],
  ["a volume on another node", on("other"), { [HOST]: "here" }, false],
  ["a volume that every node reaches", {}, { [HOST]: "here" }, true],
])("%s", (_, spec, nodeSegments, expected) => {
  const deps = { driver: { name: "csi.example.com" }, options: { nodeSegments } };
  expect(isOwnVolume(deps, volumeOf({}, spec))).toBe(expected);
});
