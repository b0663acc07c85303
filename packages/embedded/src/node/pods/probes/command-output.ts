import { hasErrorCode, StowageError } from "@stowage/machinery";
import type { Container } from "../../runtime/index.ts";

const MOST_BYTES = 10 * 1024;
/** What whoever starts a command ends with when there is none. */
const NOT_FOUND = 127;

export interface CommandOutput {
  readonly exitCode: number;
  /** What it said, and then what it complained of. */
  readonly text: string;
  readonly complaint: string;
}

/**
 * Runs a command in a container and waits for its end; without a time it may take as long as it likes. Throws `PROBE_FAILED`, in kubelet's
 * words, when the time is over, and `CONTAINER_COMMAND_NOT_FOUND` when there is no such command.
 */
export async function commandOutput(
  container: Container,
  command: readonly string[],
  { timeoutMs, signal }: { readonly timeoutMs: number | undefined; readonly signal: AbortSignal },
): Promise<CommandOutput> {
  const said = new Collected();
  const complained = new Collected();
  const over = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const streams = {
    writeStdout: (bytes: Uint8Array) => said.add(bytes),
    writeStderr: (bytes: Uint8Array) => complained.add(bytes),
  };
  try {
    const either = over === undefined ? signal : AbortSignal.any([signal, over]);
    const exitCode = await container.run(command, streams, either);
    if (exitCode === NOT_FOUND) await refuseMissing(container, command, signal);
    return { exitCode, text: (said.text + complained.text).slice(0, MOST_BYTES), complaint: complained.text };
  } catch (error) {
    if (over?.aborted !== true || hasErrorCode(error, "CONTAINER_COMMAND_NOT_FOUND")) throw error;
    const seconds = (timeoutMs ?? 0) / 1000;
    const words = JSON.stringify(command.join(" "));
    throw new StowageError("PROBE_FAILED", `command timed out: ${words} timed out after ${seconds}s`);
  }
}

/** A shell that does not find what it is told to run ends with the same code as one that is not there: they are told apart by asking. */
async function refuseMissing(
  container: Container,
  [program = ""]: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const quiet = { writeStdout: async () => {}, writeStderr: async () => {} };
  const asked = await container.run(["sh", "-c", 'command -v -- "$1"', "sh", program], quiet, signal);
  if (asked === 0) return;
  const why = program.includes("/")
    ? `stat ${program}: no such file or directory`
    : "executable file not found in $PATH";
  throw new StowageError("CONTAINER_COMMAND_NOT_FOUND", `exec: "${program}": ${why}`);
}

class Collected {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  async add(bytes: Uint8Array): Promise<void> {
    if (this.#bytes < MOST_BYTES) this.#chunks.push(bytes.slice());
    this.#bytes += bytes.length;
  }

  get text(): string {
    return Buffer.concat(this.#chunks).subarray(0, MOST_BYTES).toString();
  }
}
