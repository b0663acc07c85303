import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";

const original = fileURLToPath(new URL("../../", import.meta.url));
const versionSource = "packages/cli/src/version-text.ts";

let checkout: string;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), "stowage-bundle-"));
  copyCheckout();
});
afterEach(() => rmSync(checkout, { recursive: true }));

/** A checkout of the test's own, with the installed dependencies of the original. */
function copyCheckout(): void {
  const isWanted = (path: string) => basename(path) !== "node_modules";
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

function edit(file: string, change: (text: string) => string): void {
  const path = join(checkout, file);
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

const bundles = () => readdirSync(join(checkout, ".cache/bundle")).filter((name) => name !== "current.json");

it("is made once and used again, until a source changes", async () => {
  const first = await start("version", "--client");
  expect(first.stderr).toBe("");
  expect((await start("version", "--client")).stdout).toBe(first.stdout);
  expect(bundles()).toHaveLength(1);
  edit(versionSource, (text) => text.replace("return manifest.version", 'return "9.9.9"'));
  expect((await start("version", "--client")).stdout).toContain("Stowage: 9.9.9");
  expect(bundles()).toHaveLength(2);
});

it("is not harmed by two that start at once", async () => {
  const outcomes = await Promise.all([start("version", "--client"), start("version", "--client")]);
  for (const { stdout, stderr } of outcomes) expect([stdout.slice(0, 9), stderr]).toEqual(["Stowage: ", ""]);
  expect(bundles()).toHaveLength(1);
});

it("is done without where it cannot be kept, and that is said", async () => {
  writeFileSync(join(checkout, ".cache"), "a file, where the folder should be");
  const { stdout, stderr } = await start("version", "--client");
  expect(stdout).toContain("Stowage: ");
  expect(stderr).toContain("runs from the sources");
});

it("shows the lines of the sources in stack traces", async () => {
  edit(versionSource, (text) => `${text}\nexport function fail(): never {\n  throw new TypeError("on purpose");\n}\n`);
  const line =
    readFileSync(join(checkout, versionSource), "utf8")
      .split("\n")
      .findIndex((text) => text.includes("throw")) + 1;
  edit(versionSource, (text) => text.replace("return manifest.version", "return fail()"));
  const { stderr } = await start("version", "--client");
  expect(stderr).toContain("TypeError: on purpose");
  expect(stderr).toContain(`${join(checkout, versionSource)}:${line}:`);
  expect(stderr).not.toContain("runs from the sources");
  expect(stderr).not.toMatch(/^ +at .*\.cjs:/m);
});
