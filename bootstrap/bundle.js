// Finds the bundle of the `stowage` command that was made of the very sources that are here, or has it made: a process that runs
// from it needs 20 MB less than from the sources. It must keep working on Node 18. See docs/design/007-the-bundle.md.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "./setup.js";

export const bundleFolder = join(checkout, ".cache", "bundle");

/** Names the bundle that was made last, and everything that went into it with its hash. */
export const currentFile = join(bundleFolder, "current.json");

const sources = join(checkout, "packages", "cli", "src", "main.ts");

/** The file to start the `stowage` command from: the bundle, or the sources where none can be made. */
export function commandFile(node24) {
  const bundle = currentBundle();
  if (bundle !== undefined) return bundle;
  const build = spawnSync(node24, [join(checkout, "scripts", "bundle.ts")], { encoding: "utf8" });
  const made = build.status === 0 ? currentBundle() : undefined;
  if (made !== undefined) return made;
  const why = build.stderr?.trim().split("\n").pop() || "a source changed while it was made";
  console.error(`stowage: there is no bundle, so this runs from the sources and takes more memory: ${why}`);
  return sources;
}

export function contentHash(content) {
  return createHash("sha256").update(content).digest("hex");
}

/** The bundle that was made last, if each of its inputs is still what it was. */
function currentBundle() {
  try {
    const { key, inputs } = JSON.parse(readFileSync(currentFile, "utf8"));
    const main = join(bundleFolder, key, "main.cjs");
    return existsSync(main) && Object.entries(inputs).every(isUnchanged) ? main : undefined;
  } catch {
    return undefined; // There is none, or it is not to be read: it is made anew.
  }
}

/** What a folder of assets holds, by name: a file that is new there must be bundled too. */
export function folderContent(folder) {
  return readdirSync(folder).sort().join("\n");
}

function isUnchanged([file, hash]) {
  const path = join(checkout, file);
  return contentHash(file.endsWith("/") ? folderContent(path) : readFileSync(path)) === hash;
}
