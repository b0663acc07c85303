import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasErrorCode } from "@stowage/machinery";
import { afterAll, describe, expect, it } from "vitest";
import { noTerminals, terminalTool } from "./terminal-tool.ts";

const folder = mkdtempSync(join(tmpdir(), "tools-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("what makes terminals", () => {
  it("is a program of that name, but not the one of busybox", () => {
    for (const name of ["busybox", "script.util-linux"]) writeFileSync(join(folder, name), "");
    symlinkSync("busybox", join(folder, "small"));
    symlinkSync("script.util-linux", join(folder, "script"));
    expect(terminalTool(join(folder, "script"))).toBe(join(folder, "script"));
    expect(terminalTool(join(folder, "small"))).toBeUndefined();
  });

  it("is told of where it is missing", () => {
    expect(hasErrorCode(noTerminals(), "TERMINALS_MISSING")).toBe(true);
  });
});
