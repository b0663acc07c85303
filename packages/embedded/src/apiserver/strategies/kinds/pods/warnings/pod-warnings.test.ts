import type { JsonObject } from "@stowage/machinery/apply";
import { describe, expect, it } from "vitest";
import { podTemplateWarnings, podWarnings } from "./pod-warnings.ts";

const main = (more: JsonObject) => ({ containers: [{ name: "main", image: "app:1", ...more }] });

describe("whoever writes a Pod is told of", () => {
  it.each<[string, JsonObject, string]>([
    [
      "a variable that is there twice",
      main({
        env: [
          { name: "A", value: "1" },
          { name: "A", value: "2" },
        ],
      }),
      'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
    ],
    [
      "a part of a byte",
      main({ resources: { limits: { memory: "1m" } } }),
      'spec.containers[0].resources.limits[memory]: fractional byte value "1m" is invalid, must be an integer',
    ],
    [
      "files that hide each other",
      { volumes: [{ name: "v", secret: { secretName: "s", items: [{ path: "a" }, { path: "a/b" }] } }] },
      'volume "v" (Secret "s"): overlapping paths: "a/b" with "a"',
    ],
    [
      "storage that is no more",
      { volumes: [{ name: "v", rbd: {} }] },
      "spec.volumes[0].rbd: deprecated in v1.28, non-functional in v1.31+",
    ],
  ])("%s", (_, spec, warning) => {
    expect(podWarnings({ spec })).toEqual([warning]);
  });

  it("nothing when a variable adds to what it was", () => {
    expect(
      podWarnings({
        spec: main({
          env: [
            { name: "A", value: "1" },
            { name: "A", value: "$(A)2" },
          ],
        }),
      }),
    ).toEqual([]);
  });

  it("where it is in a template", () => {
    expect(podTemplateWarnings({ spec: { terminationGracePeriodSeconds: -1 } }, "spec.template")).toEqual([
      "spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1",
    ]);
  });
});
