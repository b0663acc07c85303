// needs: cli
import { describe, expect, it } from "vitest";
import { stowage } from "./stowage.ts";

describe("the command line", () => {
  it("without arguments shows what there is, and succeeds", async () => {
    const { exitCode, stdout } = await stowage([]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Usage: stowage");
    expect(stdout).toContain("watch");
  });

  it.each([["--help"], ["help"], ["version", "--help"], ["help", "watch"]])("shows help for %s", async (...words) => {
    const { exitCode, stdout } = await stowage(words);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Usage: stowage");
  });

  it.each([
    [["versoin"], "Did you mean version?"],
    [["version", "--bogus"], "unknown option '--bogus'"],
    [["watch"], "missing required argument 'resource'"],
    [["version", "--output", "xml"], "Allowed choices are text, json"],
    [["watch", "pv", "--sync-timeout-seconds", "soon"], "It must be a whole number."],
    [["watch", "pv", "--sync-timeout-seconds=0"], "It must be at least 1."],
  ])("refuses %j with exit code 2 and says why", async (words, why) => {
    const { exitCode, stderr } = await stowage(words);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(why);
  });

  it("refuses a selector that makes no sense before it asks a server", async () => {
    const { exitCode, stderr } = await stowage(["watch", "pv", "-l", "a in (b"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("a in (b");
  });

  it("takes booleans as Go programs do, and options from the environment", async () => {
    const { exitCode, stdout } = await stowage(["version", "--client=true"], { env: { STOWAGE_OUTPUT: "json" } });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ stowage: { version: expect.stringMatching(/^\d+\.\d+\.\d+$/) } });
  });

  it("ends quietly when its reader goes away", async () => {
    const { exitCode, stderr } = await stowage(["--help"], { onStart: (child) => child.stdout?.destroy() });
    expect([exitCode, stderr]).toEqual([0, ""]);
  });
});
