import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LabError } from "../errors.ts";
import { readFileIfPresent, writeFileAtomically } from "../files.ts";
import { checkoutPaths } from "../paths.ts";
import { runCommand } from "../process/command.ts";
import { withLock } from "../process/lock.ts";
import { type Progress, timed } from "../progress.ts";
import { machineCacheFolder, publishBinary, restoreBinary } from "./binary-cache.ts";
import { requiredGoVersion } from "./go-mod-file.ts";
import { type BinaryName, type GoModule, moduleOf } from "./go-modules.ts";
import { type BuildPlan, planBuild } from "./stamp.ts";
import { findToolchain } from "./toolchain.ts";

export interface BuildOptions {
  readonly progress: Progress;
  readonly signal?: AbortSignal;
  /** Where the binaries go; the checkout's `.lab/bin` unless a test says otherwise. */
  readonly binFolder?: string;
  readonly goFolder?: string;
  readonly cacheFolder?: string;
}

interface Binary {
  readonly path: string;
  readonly version: string;
}

export type Binaries = Record<string, Binary>;

const LOCK_WAIT_MS = 30 * 60_000;

/** Builds those of the named binaries that are missing or whose sources, flags or Go have changed. */
export async function ensureBinaries(names: readonly BinaryName[], options: BuildOptions): Promise<Binaries> {
  const folders = { ...checkoutPaths, cacheFolder: machineCacheFolder(), ...options };
  mkdirSync(folders.binFolder, { recursive: true });
  const lock = join(folders.binFolder, ".lock");
  const onWait = (owner: { pid: number }) =>
    options.progress.line(`waiting for process ${owner.pid}, which builds the same`);
  return withLock(lock, { waitMs: LOCK_WAIT_MS, onWait, signal: options.signal }, async () => {
    const plans = await planBuilds(names, folders.goFolder);
    const binaries: Binaries = {};
    for (const name of names) binaries[name] = await ensureBinary(name, planOf(plans, name), folders);
    return binaries;
  });
}

/** One plan for each Go module that the names need. */
async function planBuilds(names: readonly BinaryName[], goFolder: string): Promise<Map<GoModule, BuildPlan>> {
  const plans = new Map<GoModule, BuildPlan>();
  for (const module of new Set(names.map(moduleOf))) {
    const folder = join(goFolder, module.folder);
    const goVersion = requiredGoVersion(readFileSync(join(folder, "go.mod"), "utf8"));
    plans.set(module, planBuild(goFolder, module, await findToolchain(folder, goVersion)));
  }
  return plans;
}

function planOf(plans: Map<GoModule, BuildPlan>, name: BinaryName): BuildPlan {
  const plan = plans.get(moduleOf(name));
  if (plan === undefined) throw new TypeError(`no plan was made for ${name}`);
  return plan;
}

type Folders = Required<Pick<BuildOptions, "binFolder" | "goFolder" | "cacheFolder">> & BuildOptions;

async function ensureBinary(name: BinaryName, plan: BuildPlan, folders: Folders): Promise<Binary> {
  const binary = { path: join(folders.binFolder, name), version: plan.version };
  const stampFile = join(folders.binFolder, ".stamps", name);
  if (readFileIfPresent(stampFile) === plan.stamp && existsSync(binary.path)) return binary;
  rmSync(stampFile, { force: true }); // From here until the end there is no binary that anybody may trust.
  if (restoreBinary(folders.cacheFolder, plan.stamp, binary.path)) {
    folders.progress.line(`${name} ${plan.version}: taken from this machine's cache`);
  } else {
    await timed(folders.progress, `building ${name} ${plan.version}`, () => buildBinary(name, plan, folders));
    publishBinary(folders.cacheFolder, plan.stamp, binary.path);
  }
  writeFileAtomically(stampFile, plan.stamp);
  return binary;
}

async function buildBinary(name: BinaryName, plan: BuildPlan, { binFolder, signal }: Folders): Promise<void> {
  const folder = mkdtempSync(join(binFolder, ".building-"));
  try {
    const built = join(folder, name);
    const sources = moduleOf(name).binaries[name] ?? ".";
    await runCommand("go", ["build", ...plan.flags, "-o", built, sources], {
      cwd: plan.folder,
      environment: { CGO_ENABLED: "0" },
      signal,
    });
    renameSync(built, join(binFolder, name));
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new LabError("BUILD_FAILED", `${name} ${plan.version} could not be built in ${plan.folder}: ${detail}`, {
      nextStep:
        "when a download failed, see that GOPROXY can be reached, and run the command again: what was compiled is kept",
      cause,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
