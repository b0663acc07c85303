import { silentLogger } from "@stowage/machinery";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { commands } from "./commands/index.ts";
import { exitCodeText } from "./exit-codes.ts";
import { flagOf } from "./options/option-table.ts";
import { runProgram } from "./program.ts";

/** As a user types it, with the words parted by blanks. */
async function stowage(line: string) {
  let [out, err] = ["", ""];
  const terminal = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
  const signal = AbortSignal.timeout(20_000);
  const context = { terminal, logger: silentLogger, setLogLevel() {}, env: {}, homeDir: "/nonexistent", signal };
  const words = line.split(" ").filter((word) => word !== "");
  const exitCode = await runProgram({ commands, terminal, contextFor: () => context }, words);
  return { exitCode, out, err };
}

const everyCommand = commands.map(({ name, options, positional }) => ({ name, options, positional }));
const groups = [...new Set(commands.flatMap(({ name }) => (name.includes(" ") ? [name.split(" ")[0] ?? ""] : [])))];

describe.each(everyCommand)("stowage $name", ({ name, options, positional }) => {
  it("has help with every option and argument, within 80 columns", async () => {
    const { exitCode, out, err } = await stowage(`${name} --help`);
    expect([exitCode, err]).toEqual([0, ""]);
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
    const flags = [...out.matchAll(/^ {2}(?:-\w, )?(--[a-z0-9-]+)/gm)].map(([, flag]) => flag);
    expect(flags).toEqual([...Object.keys(options).map(flagOf), "--help"]);
    expect(out).toContain(
      `Usage: ${["stowage", name, "[options]", ...positional.map((a) => `<${a.name}>`)].join(" ")}\n`,
    );
    expect(await stowage(`help ${name}`)).toEqual({ exitCode, out, err });
  });

  it("refuses an option that it does not have, and says where to look", async () => {
    const { exitCode, out, err } = await stowage(`${name} --no-such-option`);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(err).toContain(`stowage ${name}: unknown option '--no-such-option'\n`);
    expect(err).toContain(`  next: stowage ${name} --help shows what there is\n`);
  });

  it("says what its arguments are when there are too many, or one is missing", async () => {
    const lines = [`${name}${" x".repeat(positional.length + 1)}`, ...(positional.length > 0 ? [name] : [])];
    for (const line of lines) {
      const { exitCode, err } = await stowage(line);
      expect(exitCode).toBe(2);
      expect(err).toMatch(new RegExp(`^stowage ${name}: (?:missing required argument|too many arguments)`));
      for (const argument of positional) expect(err).toContain(`  <${argument.name}>: ${argument.help}\n`);
    }
  });
});

describe("a choice", () => {
  const choices = commands.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, spec]) => (spec.type === "choice" ? [{ name, option, spec }] : [])),
  );

  it("can be read in the help, once", async () => {
    for (const { name, option, spec } of choices) {
      const { out } = await stowage(`${name} --help`);
      const [, own = ""] = out.replaceAll(/\s+/g, " ").split(`${flagOf(option)} <`);
      const inTerm = own.startsWith(`${spec.choices.join("|")}> `);
      const inDescription = own.startsWith(`WORD> ${spec.help} (one of ${spec.choices.join(", ")}`);
      expect([name, option, inTerm !== inDescription]).toEqual([name, option, true]);
    }
  });

  it("that is none is refused with those that there are", async () => {
    const { exitCode, err } = await stowage("status --output yaml");
    expect(exitCode).toBe(2);
    expect(err).toContain("Allowed choices are text, json.");
  });
});

describe("the program", () => {
  it.each(["", "--help", "-h", "help"])("shows commands and exit codes for %j", async (line) => {
    const { exitCode, out } = await stowage(line);
    expect(exitCode).toBe(0);
    for (const { name } of commands) expect(out).toMatch(new RegExp(`^  ${name.split(" ")[0]} `, "m"));
    expect(out.replaceAll(/\s+/g, " ")).toContain(`Exit codes: ${exitCodeText()}.`);
    expect(out.split("\n").filter((text) => text.length > 80)).toEqual([]);
  });

  it.each([
    ["stauts", "stowage", "Did you mean status?"],
    ["stauts --help", "stowage", "Did you mean status?"],
    ["help stauts", "stowage", "Did you mean status?"],
    ["sidecar atacher", "stowage sidecar", "Did you mean attacher?"],
    ["help sidecar atacher", "stowage sidecar", "Did you mean attacher?"],
    ["destroy volume --help", "stowage destroy", "Did you mean volumes?"],
    ["status --wach", "stowage status", "Did you mean --watch?"],
    ["sidecar attacher --csi-adress=x", "stowage sidecar attacher", "Did you mean --csi-address?"],
  ])("knows what %j was meant to be", async (line, place, hint) => {
    const { exitCode, out, err } = await stowage(line);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(err).toMatch(new RegExp(`^${place}: unknown `));
    expect(err).toContain(hint);
    expect(err).toContain(`next: ${place} --help`);
  });

  it.each(groups)("shows what there is in %s, and wants one of it", async (group) => {
    const { exitCode, out, err } = await stowage(group);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(err).toMatch(new RegExp(`stowage ${group}: a command is missing; those above are there\n$`));
    const asked = await stowage(`${group} --help`);
    expect(asked.exitCode).toBe(0);
    expect(err.startsWith(asked.out)).toBe(true);
  });

  it.each([
    ["driver nonsense", "mock and local"],
    ["driver-operator nonsense", "openstack-cinder"],
    ["render nonsense", "openstack-cinder"],
    ["explain nonsense x", "volumesnapshot"],
    ["completion nonsense", "bash, zsh, fish"],
    ["sidecars --controllers nonsense", "attacher"],
    ["watch pv -l a=(", "a=("],
    ["sidecar registrar --kubelet-registration-path=/x --health-port=1 --http-endpoint=:2", "give one of the two"],
  ])("calls %j a mistake in the command line, with what would make sense", async (line, hint) => {
    const { exitCode, out, err } = await stowage(line);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(err).toContain(hint);
  });

  it("takes no image's variable with its version for --version", async () => {
    vi.stubEnv("STOWAGE_VERSION", "0.1.0");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { exitCode, err } = await stowage("sidecar registrar");
    expect([exitCode, err]).toEqual([2, expect.stringContaining("--kubelet-registration-path is missing")]);
  });

  it("takes one dash for two before a whole word, for help too, as Go's programs do", async () => {
    expect(await stowage("sidecar attacher -help")).toEqual(await stowage("sidecar attacher --help"));
  });
});

describe("a command that is stopped while it waits", () => {
  const stopped = new AbortController();
  const waiting = (fails: () => Error) => ({
    name: "wait",
    summary: "wait",
    positional: [],
    options: {},
    run: async () => {
      stopped.abort(new Error("stopped by SIGINT"));
      throw fails();
    },
  });

  it.each([
    ["says nothing, and ends as interrupted", () => stopped.signal.reason as Error, 130, /^$/u],
    ["says what else went wrong meanwhile", () => new Error("a broken disk"), 1, /a broken disk/u],
  ])("%s", async (_name, fails, exitCode, said) => {
    let err = "";
    const terminal = { out() {}, err: (text: string) => void (err += text) };
    const own = { terminal, logger: silentLogger, setLogLevel() {}, env: {}, homeDir: "/nonexistent" };
    const context = { ...own, signal: stopped.signal };
    expect(await runProgram({ commands: [waiting(fails)], terminal, contextFor: () => context }, ["wait"])).toBe(
      exitCode,
    );
    expect(err).toMatch(said);
  });
});
