import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { driverIds } from "@stowage/operators/csi-driver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commands } from "../commands/index.ts";
import { subjectKinds } from "../explain/subject-kinds.ts";
import { flagOf } from "../options/option-table.ts";
import { completionScript } from "./completion-script.ts";

const run = promisify(execFile);
const hasShell = (name: string) => spawnSync(name, ["-c", "true"]).status === 0;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "completion-"));
  for (const shell of ["bash", "zsh", "fish"] as const)
    writeFileSync(join(folder, shell), await completionScript(shell, commands));
  mkdirSync(join(folder, "some folder"));
  writeFileSync(join(folder, "some file"), "");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a real bash offers for each line; the last word is the one that is being typed. */
async function offered(lines: readonly (readonly string[])[], setUp = ""): Promise<string[][]> {
  const calls = lines.map((words) => {
    const quoted = ["stowage", ...words].map((word) => `'${word}'`).join(" ");
    return `COMP_WORDS=(${quoted}) COMP_CWORD=${words.length}; _stowage; printf '%s\\t' "\${COMPREPLY[@]}"; echo`;
  });
  const script = ["set -u", "source ./bash", setUp, ...calls].join("\n");
  const { stdout } = await run("bash", ["--norc", "--noprofile", "-c", script], { cwd: folder });
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split("\t").filter((word) => word !== ""));
}

async function offeredAfter(...words: string[]): Promise<string[]> {
  const [only = []] = await offered([words]);
  return only;
}

describe.skipIf(!hasShell("bash"))("bash (skipped where there is none)", () => {
  it("completes commands, and those of two words one after the other", async () => {
    const firstWords = [...new Set(commands.map(({ name }) => name.split(" ")[0]))];
    expect(await offeredAfter("")).toEqual(firstWords);
    expect(await offeredAfter("st")).toEqual(["status", "storage-operator", "state"]);
    expect(await offeredAfter("sidecar", "")).toContain("cluster-driver-registrar");
    expect(await offeredAfter("state", "r")).toEqual(["restore"]);
    expect(await offeredAfter("completion", "")).toEqual(["bash", "zsh", "fish"]);
  });

  it("completes arguments of which the values are known, wherever flags stand", async () => {
    expect(await offeredAfter("driver-operator", "")).toEqual(driverIds);
    expect(await offeredAfter("render", "openstack")).toEqual(["openstack-cinder", "openstack-manila"]);
    expect(await offeredAfter("explain", "")).toEqual(subjectKinds);
    expect(await offeredAfter("explain", "-n", "shop", "--output", "json", "p")).toEqual(["pvc", "pv", "pod"]);
    expect(await offeredAfter("explain", "pvc", "")).toEqual([]);
  });

  it("completes every flag of every command", async () => {
    const answers = await offered(commands.map(({ name }) => [...name.split(" "), "--"]));
    const expected = commands.map(({ options }) => [...Object.keys(options).map(flagOf), "--help"]);
    expect(answers).toEqual(expected);
  });

  it("completes flags after other words", async () => {
    expect(await offeredAfter("explain", "pvc", "data", "--name")).toEqual(["--namespace"]);
    expect(await offeredAfter("status", "--watch", "--out")).toEqual(["--output"]);
    expect(await offeredAfter("--ver")).toEqual(["--version"]);
  });

  it("completes every value that is one of a few, after a space and after an equals sign", async () => {
    const choices = commands.flatMap(({ name, options }) =>
      Object.entries(options).flatMap(([option, spec]) =>
        spec.type === "choice" ? [{ words: [...name.split(" "), flagOf(option)], choices: [...spec.choices] }] : [],
      ),
    );
    expect(choices.length).toBeGreaterThan(10);
    const expected = choices.map((each) => each.choices);
    expect(await offered(choices.map(({ words }) => [...words, ""]))).toEqual(expected);
    expect(await offered(choices.map(({ words }) => [...words, "="]))).toEqual(expected);
    expect(await offeredAfter("status", "-o", "j")).toEqual(["json"]);
    expect(await offeredAfter("status", "--output", "=", "j")).toEqual(["json"]);
    expect(await offeredAfter("up", "--demo", "=", "")).toEqual(["true", "false"]);
  });

  it("writes the flag too where bash does not break words at equals signs", async () => {
    const [answer] = await offered([["status", "--output=j"]], "COMP_WORDBREAKS=' '");
    expect(answer).toEqual(["--output=json"]);
  });

  it("completes files and folders where the value is a path", async () => {
    expect((await offeredAfter("status", "--kubeconfig", "some")).toSorted()).toEqual(["some file", "some folder"]);
    expect(await offeredAfter("status", "--kubeconfig", "=", "some\\ fi")).toEqual(["some file"]);
    expect(await offeredAfter("up", "--state-dir", "some")).toEqual(["some folder"]);
    expect(await offeredAfter("must-gather", "some")).toEqual(["some folder"]);
    expect((await offeredAfter("state", "save", '"some f')).toSorted()).toEqual(["some file", "some folder"]);
  });

  it("offers nothing after --, for values that only the user knows, and where nothing fits", async () => {
    const lines = [
      ["explain", "--", ""],
      ["explain", "--", "--"],
      ["status", "--context", ""],
      ["status", "--bogus="],
      ["status", "some"],
      ["nonsense", "--"],
      ["sidecar", "nonsense", ""],
    ];
    expect(await offered(lines)).toEqual(lines.map(() => []));
  });
});

// Neither shell is needed for anything else, so that most machines with only Node have none: there it is skipped.
describe.each(["zsh", "fish"])("%s (skipped where there is none)", (shell) => {
  it.skipIf(!hasShell(shell))("can read its script", async () => {
    await run(shell, ["-n", join(folder, shell)]);
  });
});

describe.each(["zsh", "fish"] as const)("the script for %s", (shell) => {
  it("has every command, flag and choice", async () => {
    const script = await completionScript(shell, commands);
    for (const { name, options } of commands) {
      expect(script).toContain(shell === "zsh" ? `_stowage_${name.replace(" ", "_")}() {` : `_is_below ${name}'`);
      for (const [option, spec] of Object.entries(options)) {
        expect(script).toContain(shell === "zsh" ? `${flagOf(option)}=` : ` -l ${flagOf(option).slice(2)} `);
        expect(script).toContain(
          spec.type === "choice" ? spec.choices.join(" ") : spec.help.replaceAll(/['\\[\]:].*/g, ""),
        );
      }
    }
  });

  it("quotes what people wrote", async () => {
    const script = await completionScript(shell, [
      { name: "a", summary: "it's [a]: b", positional: [], options: {}, run: async () => 0 },
      {
        name: "b",
        summary: "b",
        positional: [],
        options: { c: { type: "string", placeholder: "HOST:PORT", help: String.raw`it's [a]: \b` } },
        run: async () => 0,
      },
    ]);
    const expected = {
      zsh: [String.raw`'a:it'\''s [a]: b'`, String.raw`'--c=[it'\''s \[a\]\: \\b]:HOST\:PORT: '`],
      fish: [String.raw`-a a -d 'it\'s [a]: b'`, String.raw`-l c -x -d 'it\'s [a]: \\b'`],
    };
    for (const text of expected[shell]) expect(script).toContain(text);
  });
});
