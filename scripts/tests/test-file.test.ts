import { describe, expect, it } from "vitest";
import { misplacement, testFileOf } from "./test-file.ts";

describe("the name of a test", () => {
  it.each([
    ["packages/kube/src/a.test.ts", "unit", true],
    ["packages/kube/src/a.isolated.test.ts", "isolated", true],
    ["test/up/a-b.apart.test.ts", "apart", false],
    ["test/up/a.gate.apart.test.ts", "apart", true],
    ["test/api/a.real.test.ts", "real", false],
    ["packages/drivers/src/a.gate.root.test.ts", "root", true],
  ])("%s says where it runs, and whether every change has to pass it", (path, place, isInGate) => {
    expect(testFileOf(path)).toEqual({ path, place, isInGate });
  });

  it.each(["a.slow.test.ts", "a.gate.test.ts", "a.real.gate.test.ts", "A.test.ts", "a.real.apart.test.ts"])(
    "%s says nothing",
    (name) => {
      expect(testFileOf(`test/api/${name}`)).toBeUndefined();
      expect(misplacement(`test/api/${name}`, ["test/api"])).toContain("its name says no place to run");
    },
  );

  it("needs a folder that belongs to a group when it needs more than Node", () => {
    expect(misplacement("test/api/a.real.test.ts", ["test/api"])).toBeUndefined();
    expect(misplacement("test/apis/a.real.test.ts", ["test/api"])).toContain("test/apis belongs to no group");
    expect(misplacement("test/apis/a.test.ts", ["test/api"])).toBeUndefined();
  });
});
