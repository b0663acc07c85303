import { describe, expect, it } from "vitest";
import { isGoAtLeast, requiredGoVersion, requiredModuleVersion } from "./go-mod-file.ts";

const goMod = `module example

go 1.26.0

require k8s.io/kubernetes v1.36.3

require (
	k8s.io/api v0.36.3 // indirect
)

replace k8s.io/api => k8s.io/api v0.36.3
`;

describe("a go.mod", () => {
  it("says which Go it needs", () => expect(requiredGoVersion(goMod)).toBe("1.26.0"));

  it("says which version of a module it requires, alone or in a block", () => {
    expect(requiredModuleVersion(goMod, "k8s.io/kubernetes")).toBe("v1.36.3");
    expect(requiredModuleVersion(goMod, "k8s.io/api")).toBe("v0.36.3");
  });

  it("is refused when it does not require the module", () => {
    expect(() => requiredModuleVersion(goMod, "k8s.io/kube")).toThrow("does not require k8s.io/kube");
  });
});

it.each([
  ["go1.26.8", "1.26.0", true],
  ["go1.26.0", "1.26", true],
  ["go1.27rc1", "1.26.3", true],
  ["go1.9", "1.26", false],
  ["go1.26", "1.26.1", false],
])("whether %s is at least %s: %s", (version, wanted, answer) => {
  expect(isGoAtLeast(version, wanted)).toBe(answer);
});
