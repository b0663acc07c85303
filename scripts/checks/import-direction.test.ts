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
    ["kube", "@stowage/operator", "kube may not import operator"],
    ["embedded", "@stowage/operator", "embedded may not import operator"],
    ["csi", "@stowage/kube", "csi may not import kube"],
    ["kube", "@stowage/nothing", "not a package of the architecture"],
    ["kube", "@stowage/machinery/src/clock.ts", 'only "@stowage/machinery" is public'],
    ["kube", "../../machinery/src/clock.ts", "by path"],
  ])("does not let %s import %s", (owner, specifier, problem) => {
    expect(problemOf(owner, `packages/${owner}/src/a.ts`, specifier)).toContain(problem);
  });

  it("lets the embedded controllers import kube, and its API server not", () => {
    const problemIn = (room: string) => problemOf("embedded", `packages/embedded/src/${room}/a.ts`, "@stowage/kube");
    expect(problemIn("controllers")).toBeUndefined();
    expect(problemIn("apiserver")).toContain("apiserver/ may not import kube");
  });
});
