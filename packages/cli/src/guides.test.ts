import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { persistentVolumeClaims, pods, type ResourceType, silentLogger, volumeSnapshots } from "@stowage/machinery";
import { parseManifests } from "@stowage/operator";
import { driverIds } from "@stowage/operators/csi-driver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Command } from "./command.ts";
import { commands } from "./commands/index.ts";
import { type ExplainCluster, startExplainCluster } from "./explain/fixtures/explain-cluster.ts";
import { runProgram } from "./program.ts";

const checkout = fileURLToPath(new URL("../../../", import.meta.url));
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  ...globSync("docs/{guides,drivers}/*.md", { cwd: checkout }),
].toSorted();
const textOf = (document: string) => readFileSync(join(checkout, document), "utf8");

/** The code blocks of a document, with their language. */
function blocksOf(document: string): { language: string; text: string }[] {
  const found = textOf(document).matchAll(/^ *```(\w*)\n(.*?)^ *```/gms);
  return [...found].map(([, language = "", text = ""]) => ({ language, text }));
}

/** The arguments of every `stowage …` that a document has in its blocks. */
function commandLines(document: string): string[][] {
  const lines = blocksOf(document).flatMap(({ text }) => text.split("\n"));
  return lines.flatMap((line) => {
    const typed = /(?:^|\$ |=\S+ |<\()(?:npx stowage|stowage|node packages\/cli\/bin\/stowage\.js) (.*)/.exec(
      line,
    )?.[1];
    if (typed === undefined) return [];
    const own = typed.replace(/ +(?:#|\||>|&).*$/, "").replace(line.includes("<(") ? /\).*$/ : /$/, "");
    return [own.match(/"[^"]*"|\S+/g) ?? []];
  });
}

async function run(words: readonly string[], known: readonly Command[], env: Record<string, string> = {}) {
  let [out, err] = ["", ""];
  const terminal = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
  const signal = AbortSignal.timeout(20_000);
  const context = { terminal, logger: silentLogger, setLogLevel() {}, env, homeDir: "/nonexistent", signal };
  const exitCode = await runProgram({ commands: known, terminal, contextFor: () => context }, words);
  return { exitCode, out, err };
}

describe.each(documents)("%s", (document) => {
  it("has only command lines that the command takes", async () => {
    const ran: string[] = [];
    const noting = commands.map((command) => ({
      ...command,
      run: async () => ran.push(command.name) && 0,
    }));
    const lines = commandLines(document);
    for (const words of lines) {
      const { exitCode, err } = await run(words, noting);
      expect([words.join(" "), exitCode, err]).toEqual([words.join(" "), 0, ""]);
    }
    expect(ran).toHaveLength(lines.length);
  });

  it("names npm scripts that exist", () => {
    const names = [...textOf(document).matchAll(/npm run (?:--silent )?([a-z:]+)/g)].map(([, name = ""]) => name);
    const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(names));
  });

  it("links to files and headings that exist", () => {
    const links = [...textOf(document).matchAll(/\]\((?!https?:)([^)\s]*)\)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !leadsSomewhere(document, link))).toEqual([]);
  });
});

function leadsSomewhere(document: string, link: string): boolean {
  const [path = "", heading] = link.split("#");
  const target = path === "" ? document : join(dirname(document), path);
  if (!existsSync(join(checkout, target))) return false;
  if (heading === undefined) return true;
  const headings = [...textOf(target).matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) => text.toLowerCase());
  return headings.some((text) => text.replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-") === heading);
}

it("the contributors' tour leads to folders and files that exist", () => {
  const rows = [...textOf("docs/guides/contributors.md").matchAll(/^\| `([a-z]+)` \| (.*?) \|/gm)];
  expect(rows.length).toBeGreaterThan(8);
  for (const [, name = "", begin = ""] of rows)
    for (const [, path = ""] of begin.matchAll(/`(.*?)`/g)) {
      expect([name, path, existsSync(join(checkout, "packages", name, path))]).toEqual([name, path, true]);
    }
});

describe("the administrators' guide", () => {
  const guide = "docs/guides/administrators.md";
  const types: readonly ResourceType[] = [persistentVolumeClaims, pods, volumeSnapshots];
  let cluster: ExplainCluster;
  let namespace: string;
  let folder: string;

  beforeAll(async () => {
    cluster = await startExplainCluster();
    folder = mkdtempSync(join(tmpdir(), "guides-"));
    namespace = await cluster.namespace();
  });
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  it("has manifests that an API server takes", async () => {
    const yaml = blocksOf(guide).flatMap(({ language, text }) => (language === "yaml" ? [text] : []));
    const objects = yaml.flatMap((text) => parseManifests({ name: guide, text }));
    expect(objects.map(({ kind }) => kind)).toEqual([
      "PersistentVolumeClaim",
      "Pod",
      "VolumeSnapshot",
      "PersistentVolumeClaim",
    ]);
    for (const object of objects) {
      const type = types.find(({ kind }) => kind === object.kind) ?? pods;
      await cluster.client.create(type, { ...object, metadata: { ...object.metadata, namespace } });
    }
  });

  it("has commands that answer on a cluster with those objects, whose class nobody has made", async () => {
    const answers = new Map<string, number>();
    const causes = new Set<string>();
    const renamed: Record<string, string> = { "web-0": "writer", demo: namespace, shop: namespace };
    for (const given of commandLines(guide)) {
      const words = given.map((word) => renamed[word] ?? word.replace(/^\.\//, `${folder}/`));
      if (!["status", "explain", "must-gather", "render", "completion"].includes(words[0] ?? "")) continue;
      if (words.includes("--watch")) continue;
      if (words[0] === "explain" && !words.includes("-n")) words.push("-n", namespace);
      const { exitCode, out, err } = await run(words, commands, { KUBECONFIG: cluster.kubeconfigPath });
      expect([words, err.includes("stowage: ")]).toEqual([words, false]);
      if (words[0] === "explain") causes.add(/^Cause: (.*)$/m.exec(out)?.[1] ?? out);
      answers.set(words[0] ?? "", exitCode);
    }
    expect(Object.fromEntries(answers)).toMatchObject({ explain: 0, render: 0, completion: 0 });
    expect([...causes]).toEqual(["CLASS_MISSING"]);
    expect([0, 3]).toContain(answers.get("status"));
    expect([0, 3]).toContain(answers.get("must-gather"));
    expect(existsSync(join(folder, "gathered", "summary.txt"))).toBe(true);
  });
});

it("the vendors' guide begins with a driver that there is", () => {
  const copied = /cp -r packages\/operators\/src\/csi-driver\/drivers\/(\S+) /.exec(
    textOf("docs/guides/driver-vendors.md"),
  );
  expect(driverIds).toContain(copied?.[1]);
});
