import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ErrorCode, hasErrorCode } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rememberControlPlane, rememberPlatform, statePaths } from "./up-state.ts";

let stateDir: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), "up-state-"));
});
afterEach(() => rmSync(stateDir, { recursive: true }));

/** Something is kept of a cluster. */
const begin = () => mkdirSync(join(statePaths.cluster(stateDir), "nodes", "node-1"), { recursive: true });

const refusal = (act: () => void, code: ErrorCode = "UP_OTHER_PLATFORM") => {
  try {
    act();
    return false;
  } catch (error) {
    return hasErrorCode(error, code);
  }
};

describe("the platform of a cluster", () => {
  it("is the one that it was begun on", () => {
    rememberPlatform(stateDir, "aws");
    begin();
    rememberPlatform(stateDir, "aws");
    expect(refusal(() => rememberPlatform(stateDir, "local"))).toBe(true);
  });

  it("is local where nobody has written down another", () => {
    begin();
    expect(refusal(() => rememberPlatform(stateDir, "aws"))).toBe(true);
    expect(refusal(() => rememberPlatform(stateDir, "local"))).toBe(false);
  });

  it("can still be another where nothing came of the first", () => {
    rememberPlatform(stateDir, "aws");
    rememberPlatform(stateDir, "local");
    begin();
    expect(refusal(() => rememberPlatform(stateDir, "aws"))).toBe(true);
  });

  it("is local where the note of it was cut off by a kill", () => {
    begin();
    writeFileSync(statePaths.platform(stateDir), "");
    expect(refusal(() => rememberPlatform(stateDir, "local"))).toBe(false);
  });
});

describe("the control plane of a cluster", () => {
  it("is the one that it was begun with", () => {
    rememberControlPlane(stateDir, "kubernetes");
    begin();
    rememberControlPlane(stateDir, "kubernetes");
    expect(refusal(() => rememberControlPlane(stateDir, "embedded"), "UP_OTHER_CONTROL_PLANE")).toBe(true);
  });

  it("is the embedded one where nobody has written down another", () => {
    begin();
    expect(refusal(() => rememberControlPlane(stateDir, "kubernetes"), "UP_OTHER_CONTROL_PLANE")).toBe(true);
  });
});
