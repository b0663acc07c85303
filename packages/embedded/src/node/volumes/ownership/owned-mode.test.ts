import { describe, expect, it } from "vitest";
import { groupMode, isGroupsOwn, isLeftAsItIs } from "./owned-mode.ts";

const facts = (mode: number, isFolder: boolean, gid = 7) => ({ mode, gid, isDirectory: () => isFolder });

describe("the mode of what a group is to use", () => {
  it.each([
    [0o100600, false, false, 0o660],
    [0o100644, false, false, 0o664],
    [0o104755, false, false, 0o4775],
    [0o100600, false, true, 0o640],
    [0o040700, true, false, 0o2770],
    [0o041777, true, false, 0o3777],
    [0o040700, true, true, 0o2750],
  ])("of %o (a folder: %s, read-only: %s) is %o", (mode, isFolder, isReadOnly, wanted) => {
    expect(groupMode(facts(mode, isFolder), isReadOnly)).toBe(wanted);
  });

  it("is right already where group and mode are", () => {
    const wish = { fsGroup: 7, isReadOnly: false };
    expect(isGroupsOwn(facts(0o100664, false), wish)).toBe(true);
    expect(isGroupsOwn(facts(0o100664, false, 8), wish)).toBe(false);
    expect(isGroupsOwn(facts(0o100644, false), wish)).toBe(false);
    expect(isGroupsOwn(facts(0o040775, true), wish)).toBe(false);
  });
});

describe("a volume whose root is right already", () => {
  const wish = { fsGroup: 7, isReadOnly: false };

  it("is left as it is when its Pod says so, and only then", () => {
    expect(isLeftAsItIs(facts(0o042775, true), wish, "OnRootMismatch")).toBe(true);
    expect(isLeftAsItIs(facts(0o042775, true), wish, "Always")).toBe(false);
    expect(isLeftAsItIs(facts(0o042775, true), wish, undefined)).toBe(false);
    expect(isLeftAsItIs(facts(0o042755, true), wish, "OnRootMismatch")).toBe(false);
    expect(isLeftAsItIs(facts(0o100660, false), wish, "OnRootMismatch")).toBe(false);
  });
});
