import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { CommandError, type CommandFailure } from "./command-error.ts";

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

/** The number that the held descriptor has in a command: the first after the standard ones. */
export const heldDescriptorOfCommands = 3;

/** Every command has the descriptor open too, if one is given: by it, those that outlive this process are found. */
export function createSystemExecutor(heldDescriptor?: number): Executor {
  return { run: (argv, options = {}) => runCommand(argv, options, heldDescriptor) };
}

export const systemExecutor: Executor = createSystemExecutor();

const mostOutputChars = 8 << 20;

function runCommand(
  argv: readonly [string, ...string[]],
  { timeoutMs = defaultTimeoutMs, acceptedExitCodes = [] }: CommandOptions,
  heldDescriptor: number | undefined,
): Promise<CommandResult> {
  const [program, ...args] = argv;
  const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "pipe", ...(heldDescriptor === undefined ? [] : [heldDescriptor])],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    env: commandEnvironment,
  });
  const stdout = textOf(child.stdout, () => child.kill("SIGKILL"));
  const stderr = textOf(child.stderr, () => child.kill("SIGKILL"));
  const fail = (kind: CommandFailure["kind"], exitCode?: number) =>
    reject(new CommandError({ argv, kind, stderrTail: stderr().trim().slice(-stderrTailChars), exitCode }));
  child.once("error", (error: NodeJS.ErrnoException) => fail(error.code === "ENOENT" ? "missing" : "failed"));
  child.once("close", (code) => {
    const exitCode = code ?? undefined;
    if (exitCode !== undefined && (exitCode === 0 || acceptedExitCodes.includes(exitCode))) {
      return resolve({ exitCode, stdout: stdout() });
    }
    return fail(child.killed ? "timeout" : "failed", exitCode);
  });
  return promise;
}

/** Gathers what a command prints; one that never stops is stopped. */
function textOf(stream: Readable | null, onTooLong: () => void): () => string {
  let text = "";
  stream?.setEncoding("utf8").on("data", (chunk: string) => {
    if (text.length < mostOutputChars) text += chunk;
    else onTooLong();
  });
  return () => text;
}
