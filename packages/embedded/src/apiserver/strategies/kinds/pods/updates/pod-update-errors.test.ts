import type { JsonObject } from "@stowage/machinery/apply";
import { fieldErrorText } from "@stowage/machinery/structural";
import { describe, expect, it } from "vitest";
import { podDefaults } from "../defaults/pod-defaults.ts";
import { podUpdateErrors } from "./pod-update-errors.ts";

const pod = (spec: JsonObject) =>
  podDefaults({ metadata: { name: "a" }, spec: { containers: [{ name: "main", image: "app:1" }], ...spec } });

function errorsOf(now: JsonObject, before: JsonObject = {}): string[] {
  return podUpdateErrors(pod(now), pod(before)).map(fieldErrorText);
}

const image = (name: string) => ({ containers: [{ name: "main", image: name }] });

describe("a Pod", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ["its image", image("app:2"), {}],
    ["a deadline", { activeDeadlineSeconds: 5 }, {}],
    ["a nearer deadline", { activeDeadlineSeconds: 5 }, { activeDeadlineSeconds: 9 }],
    ["a toleration more", { tolerations: [{ operator: "Exists" }] }, {}],
    ["a gate less", {}, { schedulingGates: [{ name: "a" }] }],
    ["a node's label, behind a gate", { nodeSelector: { a: "b" } }, { schedulingGates: [{ name: "a" }] }],
  ])("may change in %s", (_, now, before) => {
    expect(errorsOf(now, before)).toEqual([]);
  });

  it.each<[string, JsonObject, JsonObject, string]>([
    ["a later deadline", { activeDeadlineSeconds: 9 }, { activeDeadlineSeconds: 5 }, "must be less than or equal"],
    ["a container more", { initContainers: [{ name: "b", image: "b" }] }, {}, "may not add or remove containers"],
    ["a toleration less", {}, { tolerations: [{ operator: "Exists" }] }, "existing toleration can not be modified"],
    ["a gate more", { schedulingGates: [{ name: "a" }] }, {}, "found new scheduling gate 'a'"],
    ["a node's label", { nodeSelector: { a: "b" } }, {}, "may not change fields other than"],
  ])("may not get %s", (_, now, before, error) => {
    expect(errorsOf(now, before).join("\n")).toContain(error);
  });

  it("is shown with what changed, by the names of the original's own types", () => {
    const [error = ""] = errorsOf({ hostNetwork: true });
    expect(error.split("\n").slice(1)).toEqual([
      expect.stringMatching(/^@@ -\d+,7 \+\d+,7 @@$/u),
      '  "AutomountServiceAccountToken": null,',
      '  "NodeName": "",',
      '  "SecurityContext": {',
      '-  "HostNetwork": false,',
      '+  "HostNetwork": true,',
      '   "HostPID": false,',
      '   "HostIPC": false,',
      '   "ShareProcessNamespace": null,',
      "",
    ]);
  });
});
