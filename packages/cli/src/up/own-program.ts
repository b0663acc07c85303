import { launcherScript, type OwnProgram } from "./own-image.ts";
import { writeLauncher } from "./up-state.ts";

/** What the bootstrap tells Node and the allocator (bootstrap/hand-over.js): containers are to be as small. */
const leanVariables = ["MALLOC_ARENA_MAX", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"];

/** This very program, as containers are to run it. */
export function ownProgram(stateDir: string, env: Readonly<Record<string, string | undefined>>): OwnProgram {
  const { execPath: nodePath, execArgv: flags, argv } = process;
  const [, mainPath = ""] = argv;
  const lean = leanVariables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  const launcherFolder = writeLauncher(stateDir, launcherScript);
  return { nodePath, flags, mainPath, launcherFolder, env: Object.fromEntries(lean) };
}
