import { execFile } from "node:child_process";
import { CommandError } from "./command-error.ts";

export interface CommandOptions {
  readonly timeoutMs?: number;
  /** Exit codes beside 0 that are answers rather than failures. */
  readonly acceptedExitCodes?: readonly number[];
}

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
}

/** The one way to the system's programs: an argument list, never a shell. */
export interface Executor {
  run(argv: readonly [string, ...string[]], options?: CommandOptions): Promise<CommandResult>;
}

const defaultTimeoutMs = 60_000;
const stderrTailChars = 500;
// Fixed, so that the programs are found in a bare service environment too, and that their output is in one language.
export const commandEnvironment = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C" };

export const systemExecutor: Executor = {
  run(argv, { timeoutMs = defaultTimeoutMs, acceptedExitCodes = [] } = {}) {
    const [program, ...args] = argv;
    return new Promise((resolve, reject) => {
      const options = {
        timeout: timeoutMs,
        killSignal: "SIGKILL",
        env: commandEnvironment,
        maxBuffer: 8 << 20,
      } as const;
      execFile(program, args, options, (error, stdout, stderr) => {
        if (error === null) return resolve({ exitCode: 0, stdout });
        const exitCode = typeof error.code === "number" ? error.code : undefined;
        if (exitCode !== undefined && acceptedExitCodes.includes(exitCode)) return resolve({ exitCode, stdout });
        const kind = error.code === "ENOENT" ? "missing" : error.killed === true ? "timeout" : "failed";
        const stderrTail = stderr.trim().slice(-stderrTailChars);
        reject(new CommandError({ argv, kind, stderrTail, exitCode }));
      });
    });
  },
};
