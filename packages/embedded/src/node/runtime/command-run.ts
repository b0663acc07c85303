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
  const [program = "", ...args] = enteringCommand(pid, entry, command);
  const cwd = entry.kind === "plain" ? `/proc/${pid}/cwd` : "/";
  const env = await environmentOf(pid);
  const child = spawn(program, args, { cwd, env, signal, killSignal: "SIGKILL" });
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

function enteringCommand(pid: number, entry: ContainerEntry, command: readonly string[]): string[] {
  if (entry.kind === "plain") {
    const real = command.map((word) => withRealMentions(word, entry.places));
    // A program that is not there is then told by an exit code, as in any container.
    return [toolFile("sh"), "-c", 'exec "$@"', "sh", ...entry.prefix, ...real];
  }
  const own = ["--target", String(pid), ...entry.flags, "--", ...endingWithParent(entry.prefix)];
  return [toolFile("nsenter"), ...own, ...command];
}

/** `nsenter` stands beside the command, which would outlive it. */
function endingWithParent([tool = "", ...flags]: readonly string[]): string[] {
  return tool === toolFile("setpriv") ? [tool, "--pdeathsig", "KILL", ...flags] : [tool, ...flags];
}

async function passOn(from: Readable, write: (bytes: Uint8Array) => Promise<void>): Promise<void> {
  for await (const bytes of from) await write(bytes as Uint8Array);
}

async function feed(from: AsyncIterable<Uint8Array>, to: Writable): Promise<void> {
  // The command may end before it has read everything.
  to.on("error", () => {});
  for await (const bytes of from) if (!to.write(bytes)) await writeRoom(to);
  to.end();
}
