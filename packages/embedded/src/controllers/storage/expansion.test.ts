import { resizingAnnotations } from "@stowage/machinery";
import { expect, it } from "vitest";
import { hasGrown, isToBeExpanded } from "./expansion.ts";
import { claim, volume } from "./fixtures/storage-objects.ts";

const sized = (request: string, capacity: string) =>
  claim("data", {
    spec: { resources: { requests: { storage: request } } },
    status: { capacity: { storage: capacity } },
  });

it("takes notice of a claim that asks for more, or has got more", () => {
  expect(hasGrown(sized("2Gi", "1Gi"), sized("1Gi", "1Gi"))).toBe(true);
  expect(hasGrown(sized("2Gi", "2Gi"), sized("2Gi", "1Gi"))).toBe(true);
  expect(hasGrown(sized("2Gi", "1Gi"), sized("2048Mi", "1Gi"))).toBe(false);
  expect(hasGrown(sized("1Gi", "1Gi"), sized("2Gi", "1Gi"))).toBe(false);
});

it("has a claim expanded that has less than it asks for, or whose file system is behind", () => {
  expect(isToBeExpanded(sized("2Gi", "1Gi"), volume("pv"))).toBe(true);
  expect(isToBeExpanded(sized("1Gi", "2Gi"), volume("pv"))).toBe(false);
  const annotations = { [resizingAnnotations.preResizeCapacity]: "1Gi" };
  expect(isToBeExpanded(sized("1Gi", "1Gi"), volume("pv", { metadata: { name: "pv", annotations } }))).toBe(true);
});
