import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { affectedTests } from "./affected.ts";
import { ImportGraph } from "./import-graph.ts";
import { testFileOf } from "./test-file.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const house = {
  "packages/a/package.json": JSON.stringify({ name: "@stowage/a", exports: { ".": "./src/index.ts" } }),
  "packages/a/src/index.ts": `export { one } from "./one.ts"; export * from "./two.ts";`,
  "packages/a/src/one.ts": `import type { Two } from "./two.ts"; export const one = 1;`,
  "packages/a/src/two.ts": `export interface Two {} export const two = 2;`,
  "packages/a/src/assets/x/y.yaml": "a: 1",
  "packages/a/src/assets.ts": `export const folder = new URL("assets/", import.meta.url);
export const files = new URL("./assets/x/", import.meta.url);`,
  "packages/cli/package.json": JSON.stringify({ name: "@stowage/cli", exports: { ".": "./src/main.ts" } }),
  "packages/cli/src/main.ts": `import { commands } from "./commands/index.ts"; commands();`,
  "packages/cli/src/commands/index.ts": `import { up } from "./up.ts"; import { down } from "./down.ts"; export const commands = () => [up, down];`,
  "packages/cli/src/commands/up.ts": `export const up = async () => { const { one } = await import("@stowage/a"); return one; };`,
  "packages/cli/src/commands/down.ts": `export const down = async () => await import("../down-run.ts");`,
  "packages/cli/src/down-run.ts": `export const x = 1;`,
};

/** The tests of a house that a change reaches, with the way there. */
async function affected(tests: Record<string, string>, changed: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "graph-"));
  folders.push(folder);
  for (const [path, text] of Object.entries({ ...house, ...tests })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const graph = await ImportGraph.read(folder);
  const files = Object.keys(tests).flatMap((path) => testFileOf(path) ?? []);
  return { ways: affectedTests(files, graph, changed).map(({ why }) => why.join(" < ")), problems: graph.problems() };
}

const t = "test/t.test.ts";

describe("what a change reaches", () => {
  it("is whoever takes a name that it defines, through the front door", async () => {
    const tests = { [t]: `import { one } from "@stowage/a";`, "test/u.test.ts": `import { two } from "@stowage/a";` };
    expect((await affected(tests, ["packages/a/src/one.ts"])).ways).toEqual([`${t} < packages/a/src/one.ts`]);
    expect((await affected(tests, ["packages/a/src/two.ts"])).ways).toEqual([`test/u.test.ts < packages/a/src/two.ts`]);
  });

  it("is whoever takes everything", async () => {
    const tests = { [t]: `import * as a from "@stowage/a";` };
    expect((await affected(tests, ["packages/a/src/two.ts"])).ways).toHaveLength(1);
  });

  it("is not whoever takes a type alone", async () => {
    const tests = { [t]: `import type { Two } from "@stowage/a"; import { type Two as T } from "@stowage/a";` };
    expect((await affected(tests, ["packages/a/src/two.ts"])).ways).toEqual([]);
  });

  it("is whoever starts a command that loads it, and not who starts another", async () => {
    const text = (command: string) => `// needs: ${command}\n`;
    const tests = { [t]: text("cli down"), "test/u.test.ts": text("cli up"), "test/v.test.ts": text("cli") };
    expect((await affected(tests, ["packages/cli/src/down-run.ts"])).ways).toEqual([
      `${t} < packages/cli/src/commands/down.ts < packages/cli/src/down-run.ts`,
      "test/v.test.ts < packages/cli/src/main.ts < packages/cli/src/commands/index.ts < packages/cli/src/commands/down.ts < packages/cli/src/down-run.ts",
    ]);
    // What every command loads.
    expect((await affected(tests, ["packages/cli/src/commands/index.ts"])).ways).toHaveLength(3);
  });

  it("is whoever starts it as a process", async () => {
    const tests = { [t]: `const p = new URL("./helper.ts", import.meta.url);`, "test/helper.ts": "export {};" };
    expect((await affected(tests, ["test/helper.ts"])).ways).toEqual([`${t} < test/helper.ts`]);
  });

  it("is whoever starts it by a helper that leaves the command to its callers", async () => {
    const tests = {
      [t]: `// needs: cli down\nimport { run } from "./helper.ts";`,
      "test/helper.ts": "// needs: cli main\nexport const run = 1;",
    };
    expect((await affected(tests, ["packages/cli/src/down-run.ts"])).ways).toHaveLength(1);
  });

  it("is whoever lists the folder in which it stands", async () => {
    const tests = {
      [t]: `const folder = join(import.meta.dirname, "scenes");`,
      "test/scenes/one.ts": "export {};",
      "test/u.test.ts": `const word = "scenes";`,
    };
    expect((await affected(tests, ["test/scenes/one.ts"])).ways).toEqual([`${t} < test/scenes < test/scenes/one.ts`]);
  });

  it("is whoever names a folder above a file that is no source", async () => {
    const tests = { [t]: `import { files } from "../packages/a/src/assets.ts";` };
    expect((await affected(tests, ["packages/a/src/assets/x/y.yaml"])).ways).toHaveLength(1);
    expect((await affected(tests, ["packages/a/src/other/y.yaml"])).ways).toEqual([]);
  });

  it("is everybody, when it is the lock file", async () => {
    expect((await affected({ [t]: "" }, ["package-lock.json"])).ways).toEqual([`${t} < package-lock.json`]);
  });
});

describe("what a test says to need", () => {
  it("has to be there", async () => {
    const { problems } = await affected({ [t]: "// needs: cli sideways, a, b\n" }, []);
    expect(problems).toEqual([
      `${t}: "// needs: cli sideways" names no command, package or path`,
      `${t}: "// needs: b" names no command, package or path`,
    ]);
  });

  it("may not be left out by who starts the program", async () => {
    const { problems } = await affected({ [t]: `const main = "packages/cli/src/main.ts";` }, []);
    expect(problems).toEqual([`${t}: it starts stowage; say which commands: // needs: cli COMMAND`]);
  });

  it("may not be left to a test that does not say it either", async () => {
    const helper = { "test/helper.ts": "// needs: cli main\nexport const run = 1;" };
    const { problems } = await affected({ ...helper, [t]: `import { run } from "./helper.ts";` }, []);
    expect(problems).toEqual([`${t}: it starts stowage; say which commands: // needs: cli COMMAND`]);
  });
});
