import type { JsonObject } from "@stowage/machinery/apply";
import { fieldErrorText } from "@stowage/machinery/structural";
import { describe, expect, it } from "vitest";
import { podSpecDefaults } from "../defaults/pod-spec-defaults.ts";
import type { PodCheckOptions } from "./check-context.ts";
import { podSpecErrors } from "./pod-spec-errors.ts";

function errorsOf(spec: JsonObject, options: PodCheckOptions = {}): string[] {
  const containers = [{ name: "main", image: "app:1" }];
  return podSpecErrors(podSpecDefaults({ containers, ...spec }), "spec", options).map(fieldErrorText);
}

const main = (more: JsonObject) => ({ containers: [{ name: "main", image: "app:1", ...more }] });

describe("a spec", () => {
  it("that says the least is right", () => {
    expect(errorsOf({})).toEqual([]);
  });

  it.each<[string, JsonObject, string[]]>([
    ["no containers", { containers: [] }, ["spec.containers: Required value"]],
    [
      "a volume that is not there",
      main({ volumeMounts: [{ name: "v", mountPath: "/a" }] }),
      ['spec.containers[0].volumeMounts[0].name: Not found: "v"'],
    ],
    [
      "a volume of two sources",
      { volumes: [{ name: "v", emptyDir: {}, nfs: { server: "s", path: "/" } }] },
      ["spec.volumes[0].nfs: Forbidden: may not specify more than 1 volume type"],
    ],
    [
      "more asked for than allowed",
      main({ resources: { limits: { cpu: "1" }, requests: { cpu: "2" } } }),
      ['spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'],
    ],
    [
      "a policy that is none",
      { restartPolicy: "Sometimes" },
      ['spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"'],
    ],
    [
      "a profile of too much, which is shown as the original's own type",
      { securityContext: { seccompProfile: { type: "Unconfined", localhostProfile: "a" } } },
      [
        'spec.securityContext.seccompProfile.localhostProfile: Invalid value: {"Type":"Unconfined","LocalhostProfile":"a"}: ' +
          "can only be set when seccomp type is Localhost",
      ],
    ],
  ])("is wrong with %s", (_, spec, errors) => {
    expect(errorsOf(spec)).toEqual(errors);
  });

  it("of a Pod on the host's network has the host's ports, that of a template may leave them out", () => {
    const spec = { ...main({ ports: [{ containerPort: 80 }] }), hostNetwork: true };
    expect(errorsOf(spec)).toEqual([]);
    expect(errorsOf(spec, { metadata: {} })).toEqual([
      "spec.containers[0].ports[0].hostPort: Invalid value: 0: must match `containerPort` when `hostNetwork` is true",
    ]);
  });

  it("may be relabelled in any way when it says how already", () => {
    const spec = { securityContext: { seLinuxChangePolicy: "MountOption" } };
    expect(errorsOf(spec)).toHaveLength(1);
    expect(errorsOf(spec, { old: { securityContext: { seLinuxChangePolicy: "Recursive" } } })).toEqual([]);
  });
});
