import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

const original = fileURLToPath(new URL("../../", import.meta.url));
const versionSource = "packages/cli/src/version-text.ts";

/** Each bundle takes seconds, more so on a machine that has much else to do. */
const PATIENCE_MS = 240_000;

let checkout: string;
let versionText: string;
/** Of two commands that started at once, before there was a bundle. */
let first: { readonly outcomes: readonly Outcome[]; readonly bundles: readonly string[] };

// One for all tests: thousands of files are copied for it. What they change there they put back.
beforeAll(async () => {
  checkout = mkdtempSync(join(tmpdir(), "stowage-bundle-"));
  copyCheckout();
  versionText = readFileSync(join(checkout, versionSource), "utf8");
  const outcomes = await Promise.all([start("version", "--client"), start("version", "--client")]);
  first = { outcomes, bundles: bundles() };
}, PATIENCE_MS);
afterEach(() => writeFileSync(join(checkout, versionSource), versionText));
afterAll(() => rmSync(checkout, { recursive: true }));

/** A checkout of the tests' own, with the installed dependencies of the original. */
function copyCheckout(): void {
  const isWanted = (path: string) => basename(path) !== "node_modules" && !path.endsWith(".test.ts");
  for (const name of ["bootstrap", "scripts", "packages", "package.json", "package-lock.json"])
    cpSync(join(original, name), join(checkout, name), { recursive: true, filter: isWanted });
  mkdirSync(join(checkout, "node_modules/@stowage"), { recursive: true });
  for (const name of readdirSync(join(original, "node_modules")).filter((entry) => !/^\.|^@stowage$/.test(entry)))
    symlinkSync(join(original, "node_modules", name), join(checkout, "node_modules", name));
  for (const name of readdirSync(join(checkout, "packages"))) {
    symlinkSync(join(checkout, "packages", name), join(checkout, "node_modules/@stowage", name));
    symlinkSync(join(original, "packages", name, "node_modules"), join(checkout, "packages", name, "node_modules"));
  }
  const lock = readFileSync(join(checkout, "package-lock.json"));
  writeFileSync(join(checkout, "node_modules/.stowage-installed"), createHash("sha256").update(lock).digest("hex"));
}

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
}

/** `npm start -- …`, without npm. */
async function start(...commandArguments: string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [join(checkout, "bootstrap/run.js"), "start", ...commandArguments]);
  const outcome = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      outcome[name] += text;
    });
  await new Promise((resolve) => child.once("close", resolve));
  return outcome;
}

/** Returns what the file holds now. */
function editVersionSource(change: (text: string) => string): string {
  const text = change(versionText);
  writeFileSync(join(checkout, versionSource), text);
  return text;
}

const bundles = () => readdirSync(join(checkout, ".cache/bundle")).filter((name) => name !== "current.json");

describe("the bundle", { timeout: PATIENCE_MS }, () => {
  it("is not harmed by two that start at once", () => {
    for (const { stdout, stderr } of first.outcomes) expect([stdout.slice(0, 9), stderr]).toEqual(["Stowage: ", ""]);
    expect(first.bundles).toHaveLength(1);
  });

  it("is made once and used again, until a source changes", async () => {
    const before = await start("version", "--client");
    expect(before.stderr).toBe("");
    const made = bundles();
    // Written anew with each bundle.
    const writtenNs = () => statSync(join(checkout, ".cache/bundle/current.json"), { bigint: true }).mtimeNs;
    const madeNs = writtenNs();
    expect((await start("version", "--client")).stdout).toBe(before.stdout);
    expect([bundles(), writtenNs()]).toEqual([made, madeNs]);
    editVersionSource((text) => text.replace("return manifest.version", 'return "9.9.9"'));
    expect(await start("version", "--client")).toEqual({
      stdout: expect.stringContaining("Stowage: 9.9.9"),
      stderr: "",
    });
    expect(bundles()).toHaveLength(made.length + 1);
  });

  it("is done without where it cannot be kept, and that is said", async () => {
    const [cache, aside] = [join(checkout, ".cache"), join(checkout, ".cache-aside")];
    renameSync(cache, aside);
    try {
      writeFileSync(cache, "a file, where the folder should be");
      const { stdout, stderr } = await start("version", "--client");
      expect(stdout).toContain("Stowage: ");
      expect(stderr).toContain("runs from the sources");
    } finally {
      rmSync(cache);
      renameSync(aside, cache);
    }
  });

  it("shows the lines of the sources in stack traces", async () => {
    const failing = editVersionSource((text) => {
      const calling = text.replace("return manifest.version", "return fail()");
      return `${calling}\nexport function fail(): never {\n  throw new TypeError("on purpose");\n}\n`;
    });
    const line = failing.split("\n").findIndex((text) => text.includes("throw")) + 1;
    const { stderr } = await start("version", "--client");
    expect(stderr).toContain("TypeError: on purpose");
    expect(stderr).toContain(`${join(checkout, versionSource)}:${line}:`);
    expect(stderr).not.toContain("runs from the sources");
    expect(stderr).not.toMatch(/^ +at .*\.cjs:/m);
  });
});
