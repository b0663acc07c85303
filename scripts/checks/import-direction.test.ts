import { describe, expect, it } from "vitest";
import { problemOf } from "./import-direction.ts";

describe("the import direction", () => {
  it.each([
    ["kube", "@stowage/machinery"],
    ["cli", "@stowage/kube"],
    ["sidecars", "@stowage/machinery"],
    ["kube", "node:http"],
    ["embedded", "@stowage/machinery/patches"],
    ["kube", "js-yaml"],
  ])("lets %s import %s", (owner, specifier) => {
    expect(problemOf(owner, `packages/${owner}/src/a.ts`, specifier)).toBeUndefined();
  });

  it.each([
    ["machinery", "@stowage/kube", "machinery may not import kube"],
    ["embedded", "@stowage/kube", "embedded may not import kube"],
    ["csi", "@stowage/kube", "csi may not import kube"],
    ["kube", "@stowage/nothing", "not a package of the architecture"],
    ["kube", "@stowage/machinery/src/clock.ts", 'only "@stowage/machinery" is public'],
    ["kube", "../../machinery/src/clock.ts", "by path"],
  ])("does not let %s import %s", (owner, specifier, problem) => {
    expect(problemOf(owner, `packages/${owner}/src/a.ts`, specifier)).toContain(problem);
  });
});
