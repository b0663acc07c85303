import { expect, test } from "vitest";
import type { Driver } from "./driver.ts";
import { checkDriver } from "./driver-check.ts";

const answer = () => Promise.resolve({});
const basics = { nodePublishVolume: answer, nodeUnpublishVolume: answer, nodeGetInfo: answer };

test.each<[string, Partial<Driver>, string]>([
  ["an empty name", { name: "" }, "its name"],
  ["a name that ends in a dot", { name: "a." }, "its name"],
  ["a name of 64 characters", { name: "a".repeat(64) }, "its name"],
  ["no version", { vendorVersion: "" }, "vendorVersion"],
  ["volumes that cannot be deleted", { controller: { createVolume: answer } }, "createVolume without deleteVolume"],
  ["what is staged for ever", { node: { ...basics, nodeStageVolume: answer } }, "without nodeUnstageVolume"],
  ["expansion without a function", { controller: {}, traits: { expansion: "online" } }, "claims expansion"],
])("a driver with %s is refused", (_, parts, problem) => {
  expect(() => checkDriver({ name: "d", vendorVersion: "1", ...parts })).toThrow(problem);
});

test("a driver that fits together is taken", () => {
  const controller = { createVolume: answer, deleteVolume: answer, controllerExpandVolume: answer };
  checkDriver({
    name: "csi.example.com",
    vendorVersion: "1",
    controller,
    node: basics,
    traits: { expansion: "online" },
  });
});
