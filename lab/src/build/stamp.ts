import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { requiredModuleVersion } from "./go-mod-file.ts";
import { type GoModule } from "./go-modules.ts";
import type { Toolchain } from "./toolchain.ts";

/** One build of a Go module's binaries, described so fully that the same stamp means the same binaries. */
export interface BuildPlan {
  readonly folder: string;
  readonly version: string;
  readonly flags: readonly string[];
  readonly stamp: string;
}

const STAMP_LENGTH = 24;

/** Local sources are no version's; what they are is in the stamp. */
const UNVERSIONED = "local";

export function planBuild(goFolder: string, module: GoModule, toolchain: Toolchain): BuildPlan {
  const folder = join(goFolder, module.folder);
  const sources = readSources(folder);
  const goMod = sources["go.mod"] ?? "";
  const version = module.versionOf === undefined ? UNVERSIONED : requiredModuleVersion(goMod, module.versionOf);
  const flags = buildFlags(module, version);
  return { folder, version, flags, stamp: stampOf(sources, flags, toolchain) };
}

export function buildFlags(module: GoModule, version: string): string[] {
  const variables = Object.entries(module.versionVariables?.(version) ?? {}).flatMap(([name, value]) => [
    "-X",
    `${name}=${value}`,
  ]);
  // Without the state of the checkout (-buildvcs) the same sources give the same binary in every clone.
  return ["-trimpath", "-buildvcs=false", "-ldflags", ["-s", "-w", ...variables].join(" ")];
}

export function stampOf(sources: Record<string, string>, flags: readonly string[], toolchain: Toolchain): string {
  const content = JSON.stringify([Object.entries(sources).sort(byName), flags, toolchain.version, toolchain.platform]);
  return createHash("sha256").update(content).digest("hex").slice(0, STAMP_LENGTH);
}

function byName([left]: [string, string], [right]: [string, string]): number {
  return left < right ? -1 : 1;
}

function readSources(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => /\.go$|^go\.(mod|sum)$/.test(name));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}
