import type { JsonObject } from "@stowage/machinery/apply";
import { describe, expect, it } from "vitest";
import { podQuality } from "./pod-quality.ts";

const both = { cpu: "1", memory: "1Gi" };
const exact = { limits: both, requests: both };

describe("a Pod is", () => {
  it.each<[string, JsonObject[]]>([
    ["BestEffort", [{}]],
    ["BestEffort", [{ limits: { cpu: "0" }, requests: { cpu: "0" } }]],
    ["BestEffort", [{ limits: { "ephemeral-storage": "1Gi" } }]],
    ["Guaranteed", [exact, exact]],
    ["Burstable", [exact, {}]],
    ["Burstable", [{ limits: both, requests: { ...both, cpu: "500m" } }]],
    ["Burstable", [{ limits: { cpu: "1" }, requests: { cpu: "1" } }]],
  ])("%s by its containers' %o", (quality, resources) => {
    expect(podQuality({ containers: resources.map((each) => ({ resources: each })) })).toBe(quality);
  });

  it("Guaranteed by what it asks for as a whole, whatever its containers ask for", () => {
    expect(podQuality({ resources: exact, containers: [{ resources: {} }] })).toBe("Guaranteed");
    expect(podQuality({ resources: { requests: both }, containers: [{ resources: exact }] })).toBe("Burstable");
  });
});
