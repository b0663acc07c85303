import type { JsonObject } from "@stowage/machinery/apply";
import { fieldErrorText } from "@stowage/machinery/structural";
import { describe, expect, it } from "vitest";
import { specOf } from "../../../json-fields.ts";
import { podDefaults } from "../defaults/pod-defaults.ts";
import { resizeRules } from "./pod-resize.ts";

const pod = (container: JsonObject, spec: JsonObject = {}) =>
  podDefaults({
    metadata: { name: "a" },
    spec: { containers: [{ name: "main", image: "app:1", ...container }], ...spec },
  });
const limits = (amounts: JsonObject) => ({ resources: { limits: amounts, requests: { cpu: "500m" } } });
const old = pod(limits({ cpu: "1" }));

function resized(now: JsonObject) {
  const object = resizeRules.prepareForUpdate(now, old);
  const errors = resizeRules.errors(object, old, { own: [], changes: [] });
  return { spec: specOf(object), errors: errors.map(fieldErrorText) };
}

describe("a Pod that is resized", () => {
  it("gets its resources, and nothing else", () => {
    const now = pod({ ...limits({ cpu: "2" }), image: "other" }, { hostname: "h" });
    expect(resized(now)).toEqual({ spec: specOf(pod(limits({ cpu: "2" }))), errors: [] });
  });

  it.each<[string, JsonObject, string]>([
    ["loses a limit", pod({ resources: { requests: { cpu: "500m" } } }), "resource limits cannot be removed"],
    ["gets other things", pod(limits({ cpu: "1", "ephemeral-storage": "1Gi" })), "only cpu and memory resources are"],
    ["is surer of them", pod({ resources: { limits: { cpu: "1", memory: "1Gi" } } }), "Pod QOS Class may not change"],
    ["has another container", pod({ name: "other" }), "may not be renamed or reordered on resize"],
  ])("is refused when it %s", (_, now, error) => {
    expect(resized(now).errors.join("\n")).toContain(error);
  });
});
