import { labelValueErrors } from "@stowage/machinery";
import { expect, test } from "vitest";
import { managedByLabel } from "./managed-by.ts";

// The original's labels for the same nodes: another one would not find its objects.
test.each([
  ["no node", undefined, "external-provisioner"],
  ["a short name", "node01", "external-provisioner-node01"],
  ["exactly as long as a label may be", `node${"a".repeat(38)}`, `external-provisioner-node${"a".repeat(38)}`],
  ["one too long", `node${"a".repeat(39)}`, `external-p-53f40b57-node${"a".repeat(39)}`],
  ["room for one letter", `node${"a".repeat(48)}`, `e-53f40b57-node${"a".repeat(48)}`],
  ["no room for the node", `node${"a".repeat(49)}`, "external-provisioner-a3607ff1"],
  ["far too long", `node${"a".repeat(63)}`, "external-provisioner-df38e37f"],
])("the label for %s", (_what, nodeName, expected) => {
  expect(managedByLabel(nodeName)).toBe(expected);
  expect(labelValueErrors(managedByLabel(nodeName))).toEqual([]);
});
