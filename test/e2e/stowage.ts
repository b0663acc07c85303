// needs: cli main
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const main = join(fileURLToPath(new URL("../../", import.meta.url)), "packages/cli/src/main.ts");

export interface Outcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The test fails when the command has not ended by then: no command may hang. */
  readonly limitMs?: number;
  readonly onStart?: (child: ChildProcess) => void;
}

/** Runs the command as a user's shell does, with an environment of its own. */
export async function stowage(commandArguments: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [main, ...commandArguments], {
    env: { PATH: process.env.PATH ?? "", HOME: "/nonexistent", ...compileCache(), ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  options.onStart?.(child);
  const limitMs = options.limitMs ?? 25_000;
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
  const exitCode = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  if (exitCode === null)
    throw new Error(`stowage ${commandArguments.join(" ")} hung for ${limitMs} ms: ${stdout}${stderr}`);
  return { exitCode, stdout, stderr };
}

/** Dozens of processes of the same sources are started: what one has compiled, the next takes up. */
function compileCache(): Record<string, string> {
  const folder = process.env.NODE_COMPILE_CACHE;
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
