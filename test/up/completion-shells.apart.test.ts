import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { command } from "./stowage-up/running-up.ts";

// The scripts of `stowage completion` in the shells that they are for; bash, which every machine has, is tried beside the source.

const run = promisify(execFile);
const PATIENCE_MS = 60_000;
const folder = mkdtempSync(join(tmpdir(), "completion-"));

beforeAll(() => {
  for (const shell of ["zsh", "fish"])
    writeFileSync(join(folder, shell), execFileSync(process.execPath, [command, "completion", shell]));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("fish", () => {
  /** What it offers for the line, without the descriptions. */
  async function offered(line: string): Promise<string[]> {
    const script = `source ${join(folder, "fish")}; complete -C ${JSON.stringify(line)}`;
    const env = { PATH: process.env["PATH"], HOME: folder };
    const { stdout } = await run("fish", ["--no-config", "-c", script], { env, timeout: PATIENCE_MS });
    return stdout
      .split("\n")
      .flatMap((text) => text.split("\t").slice(0, 1))
      .filter(Boolean);
  }

  it("offers commands, those of a group, and the flags of each", async () => {
    expect(await offered("stowage st")).toEqual(["state", "status", "storage-operator"]);
    expect(await offered("stowage sidecar a")).toEqual(["attacher"]);
    expect(await offered("stowage sidecar attacher --leader-election-n")).toEqual(["--leader-election-namespace"]);
  });

  it("offers values, wherever flags and their values stand", async () => {
    expect(await offered("stowage explain -n shop --output json p")).toEqual(["pod", "pv", "pvc"]);
    expect(await offered("stowage status --watch --output ")).toEqual(["json", "text"]);
  });
});

describe("zsh", () => {
  /** Types the line and a tab in a terminal, and resolves with the screen when all of that is on it. */
  async function shown(line: string, words: readonly string[]): Promise<string> {
    const pattern = `*${words.join("*")}*`;
    const script = [
      "zmodload zsh/zpty",
      "zpty window zsh -f -i",
      `zpty -w window "PROMPT=; autoload -Uz compinit; compinit -u -d ${folder}/dump; source ${folder}/zsh; print loa''ded"`,
      "zpty -r window screen '*loaded*'",
      `zpty -w -n window ${JSON.stringify(line)}$'\\t'`,
      `zpty -r window screen ${JSON.stringify(pattern)}`,
      'print -r -- "$screen"',
    ].join("\n");
    const env = { PATH: process.env["PATH"], HOME: folder, TERM: "dumb" };
    return (await run("zsh", ["-f", "-c", script], { env, timeout: PATIENCE_MS })).stdout;
  }

  it("offers commands, those of a group, and the flags of each", async () => {
    expect(await shown("stowage st", ["state", "status", "storage-operator"])).toContain("storage-operator");
    expect(await shown("stowage sidecar ", ["attacher", "provisioner"])).not.toContain("must-gather");
    expect(await shown("stowage explain --", ["--kubeconfig", "--namespace"])).not.toContain("--demo");
  });

  it("offers values, wherever flags and their values stand", async () => {
    expect(await shown("stowage explain -n shop ", ["pod", "pvc", "volumesnapshot"])).toContain("storageclass");
    expect(await shown("stowage status --watch --output ", ["json", "text"])).not.toContain("html");
  });
});
