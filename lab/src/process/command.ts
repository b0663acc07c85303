import { spawn } from "node:child_process";
import { LabError } from "../errors.ts";

export interface CommandOptions {
  readonly cwd?: string;
  /** Added to this process's environment. */
  readonly environment?: Record<string, string>;
  readonly input?: string;
  readonly signal?: AbortSignal;
}

export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
}

const ERROR_TAIL_LINES = 20;

/** Runs a command to its end and returns what it wrote; a failure's error ends with the last lines of its stderr. */
export async function runCommand(
  file: string,
  commandArguments: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  options.signal?.throwIfAborted();
  const outcome = await spawnToEnd(file, commandArguments, options);
  options.signal?.throwIfAborted();
  if (outcome.exit !== "0") {
    const detail = lastLines(outcome.stderr || outcome.stdout, ERROR_TAIL_LINES);
    throw new LabError(
      "COMMAND_FAILED",
      `${[file, ...commandArguments].join(" ")} failed (${outcome.exit})\n${detail}`,
    );
  }
  return outcome;
}

/** As `runCommand`, for a command whose failure is an answer too. */
export async function commandSucceeds(file: string, commandArguments: readonly string[]): Promise<boolean> {
  return (await spawnToEnd(file, commandArguments, {})).exit === "0";
}

function spawnToEnd(file: string, commandArguments: readonly string[], options: CommandOptions) {
  return new Promise<CommandResult & { exit: string }>((resolve) => {
    // A process group of its own, so that cancelling also reaches what the command started (compilers, dpkg).
    const child = spawn(file, commandArguments, {
      cwd: options.cwd,
      env: { ...process.env, ...options.environment },
      stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      detached: true,
    });
    let stdout = "";
    let stderr = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.stdin?.on("error", () => {}); // The command may end without reading; its exit code is what counts.
    child.stdin?.end(options.input);
    const cancel = () => killGroup(child.pid);
    options.signal?.addEventListener("abort", cancel, { once: true });
    const finish = (exit: string) => {
      options.signal?.removeEventListener("abort", cancel);
      resolve({ stdout, stderr, exit });
    };
    child.on("error", (error) => finish(error.message));
    child.on("close", (code, signal) => finish(signal ?? String(code)));
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGTERM");
  } catch {
    // It ended by itself in the meantime.
  }
}

export function lastLines(text: string, count: number): string {
  return text.trimEnd().split("\n").slice(-count).join("\n");
}
