import { describe, expect, it } from "vitest";
import { defaultPullPolicy } from "./image-tag.ts";

describe("an image is pulled", () => {
  it.each([
    ["example.test/app", "Always"],
    ["example.test:5000/app", "Always"],
    ["app:latest", "Always"],
    [`app:latest@sha256:${"a".repeat(64)}`, "Always"],
    ["app:1", "IfNotPresent"],
    ["example.test:5000/app:1", "IfNotPresent"],
    [`app@sha256:${"a".repeat(64)}`, "IfNotPresent"],
    ["No Image", "IfNotPresent"],
    ["", "IfNotPresent"],
  ])("%s: %s", (image, policy) => {
    expect(defaultPullPolicy(image)).toBe(policy);
  });
});
