import { describe, expect, it } from "vitest";
import { moduleOf } from "./go-modules.ts";
import { buildFlags, stampOf } from "./stamp.ts";

const toolchain = { version: "go1.26.8", platform: "linux/amd64" };
const sources = { "go.mod": "module a", "go.sum": "sum" };
const stamp = stampOf(sources, ["-trimpath"], toolchain);

describe("the stamp of a build", () => {
  it("is the same for the same sources in any order", () => {
    expect(stampOf({ "go.sum": "sum", "go.mod": "module a" }, ["-trimpath"], toolchain)).toBe(stamp);
  });

  it.each([
    ["a source", stampOf({ ...sources, "go.sum": "other" }, ["-trimpath"], toolchain)],
    ["a file", stampOf({ ...sources, "components.go": "" }, ["-trimpath"], toolchain)],
    ["a flag", stampOf(sources, ["-race"], toolchain)],
    ["Go", stampOf(sources, ["-trimpath"], { ...toolchain, version: "go1.26.9" })],
    ["the platform", stampOf(sources, ["-trimpath"], { ...toolchain, platform: "linux/arm64" })],
  ])("changes with %s", (_, other) => expect(other).not.toBe(stamp));
});

describe("the flags of a build", () => {
  it("tell Kubernetes its version", () => {
    expect(buildFlags(moduleOf("kubelet"), "v1.36.3").at(-1)).toBe(
      "-s -w -X k8s.io/component-base/version.gitVersion=v1.36.3" +
        " -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=36",
    );
  });

  it("only strip the others", () => expect(buildFlags(moduleOf("etcd"), "v3.6.16").at(-1)).toBe("-s -w"));
});
