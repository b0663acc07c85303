import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { writeRoom } from "../write-room.ts";
import type { ContainerEntry } from "./confinement/confinement.ts";
import { withRealMentions } from "./confinement/path-mentions.ts";
import type { CommandStreams } from "./container.ts";
import { environmentOf } from "./process-identity.ts";
import { toolFile } from "./system-tools.ts";

export interface CommandPlace {
  /** Of the container's first process. */
  readonly pid: number;
  readonly entry: ContainerEntry;
}

/** Runs a command beside a container's first process, as it runs, and resolves with the exit code. Killed when the signal is aborted. */
export async function runInContainer(
  { pid, entry }: CommandPlace,
  command: readonly string[],
  streams: CommandStreams,
  signal: AbortSignal,
): Promise<number> {
  const [program = "", ...args] = enteringCommand({ pid, entry }, command);
  const env = await environmentOf(pid);
  const child = spawn(program, args, { cwd: cwdOf({ pid, entry }), env, signal, killSignal: "SIGKILL" });
  const isOver = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  const failed = once(child, "error").then(([error]) => {
    throw error;
  });
  const passing = Promise.all([
    passOn(child.stdout, (bytes) => streams.writeStdout(bytes)),
    passOn(child.stderr, (bytes) => streams.writeStderr(bytes)),
  ]);
  // Whoever listens may go away before the command ends; it is awaited below.
  passing.catch(() => {});
  if (streams.stdin === undefined) child.stdin.end();
  else feed(streams.stdin, child.stdin).catch(() => child.stdin.destroy());
  const [code] = await Promise.race([isOver, failed]);
  await passing;
  return code ?? 137;
}

/** `within`: what the command itself is put into, once its words are those of the container. */
export function enteringCommand(
  { pid, entry }: CommandPlace,
  command: readonly string[],
  within: (command: readonly string[]) => readonly string[] = (same) => same,
): string[] {
  if (entry.kind === "plain") {
    const real = within(command.map((word) => withRealMentions(word, entry.places)));
    // A program that is not there is then told by an exit code, as in any container.
    return [toolFile("sh"), "-c", 'exec "$@"', "sh", ...entry.prefix, ...real];
  }
  const own = ["--target", String(pid), ...entry.flags, "--", ...endingWithParent(entry.prefix)];
  return [toolFile("nsenter"), ...own, ...within(command)];
}

/** Where whoever enters is started. */
export function cwdOf({ pid, entry }: CommandPlace): string {
  return entry.kind === "plain" ? `/proc/${pid}/cwd` : "/";
}

/** `nsenter` stands beside the command, which would outlive it. */
function endingWithParent([tool = "", ...flags]: readonly string[]): string[] {
  return tool === toolFile("setpriv") ? [tool, "--pdeathsig", "KILL", ...flags] : [tool, ...flags];
}

export async function passOn(from: Readable, write: (bytes: Uint8Array) => Promise<void>): Promise<void> {
  for await (const bytes of from) await write(bytes as Uint8Array);
}

async function feed(from: AsyncIterable<Uint8Array>, to: Writable): Promise<void> {
  // The command may end before it has read everything.
  to.on("error", () => {});
  for await (const bytes of from) if (!to.write(bytes)) await writeRoom(to);
  to.end();
}
