import { describe, expect, it, test } from "vitest";
import { compareVersions, isSameMinor, parseSemanticVersion, type SemanticVersion } from "./semantic-version.ts";

const version = (text: string) => parseSemanticVersion(text) as SemanticVersion;

describe("semantic versions", () => {
  it("come in the order that their specification gives", () => {
    const ordered = [
      "1.0.0-alpha",
      "1.0.0-alpha.1",
      "1.0.0-alpha.beta",
      "1.0.0-beta",
      "1.0.0-beta.2",
      "1.0.0-beta.11",
      "1.0.0-rc.1",
      "1.0.0",
      "1.0.9",
      "1.0.10",
      "1.2.0",
      "2.0.0",
    ];
    const shuffled = ordered.toReversed().toSorted((a, b) => compareVersions(version(a), version(b)));
    expect(shuffled).toEqual(ordered);
  });

  it("are the same whatever they were built from", () => {
    expect(compareVersions(version("1.0.0+one"), version("1.0.0+two"))).toBe(0);
  });

  test.each(["", "1", "1.2", "v1.2.3", "1.2.3.4", "01.2.3", "1.2.3-", "1.2.x"])("are not %j", (text) => {
    expect(parseSemanticVersion(text)).toBeUndefined();
  });

  test.each([
    ["1.2.3", "1.2.9", true],
    ["1.2.3", "1.3.3", false],
    ["1.2.3", "2.2.3", false],
  ])("%s and %s are of one minor version: %s", (left, right, isSame) => {
    expect(isSameMinor(version(left), version(right))).toBe(isSame);
  });
});
