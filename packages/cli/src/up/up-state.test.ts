import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasErrorCode } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rememberPlatform, statePaths } from "./up-state.ts";

let stateDir: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), "up-state-"));
});
afterEach(() => rmSync(stateDir, { recursive: true }));

const refusal = (act: () => void) => {
  try {
    act();
    return false;
  } catch (error) {
    return hasErrorCode(error, "UP_OTHER_PLATFORM");
  }
};

describe("the platform of a cluster", () => {
  it("is the one that it was begun on", () => {
    rememberPlatform(stateDir, "aws");
    rememberPlatform(stateDir, "aws");
    expect(refusal(() => rememberPlatform(stateDir, "local"))).toBe(true);
  });

  it("is local where nobody has written down another", () => {
    mkdirSync(statePaths.cluster(stateDir));
    expect(refusal(() => rememberPlatform(stateDir, "aws"))).toBe(true);
    expect(refusal(() => rememberPlatform(stateDir, "local"))).toBe(false);
  });
});
