import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Duplex, Readable, Writable } from "node:stream";
import { type CommandPlace, cwdOf, enteringCommand, passOn, runInContainer } from "../command-run.ts";
import type { CommandStreams, TerminalSize } from "../container.ts";
import { environmentOf } from "../process-identity.ts";
import { foundTool, toolFile } from "../system-tools.ts";
import { controlFd, terminalCommand, terminalEnvironment } from "./terminal-command.ts";
import { typeInto } from "./terminal-input.ts";
import { endLeaderLater, terminalLeader } from "./terminal-leader.ts";
import { TerminalResizing } from "./terminal-resizing.ts";
import { TerminalSizes } from "./terminal-sizes.ts";
import { noTerminals, terminalTool } from "./terminal-tool.ts";

interface Resizing {
  resize(terminal: string, size: TerminalSize): Promise<void>;
}

type TerminalStreams = CommandStreams & Required<Pick<CommandStreams, "sizes">>;

/**
 * Runs a command beside a container's first process, on a terminal of the container, and resolves with the exit code. When the signal
 * is aborted the terminal is hung up, of which everybody on it hears by `SIGHUP`.
 */
export async function runOnTerminal(
  place: CommandPlace,
  command: readonly string[],
  streams: TerminalStreams,
  signal: AbortSignal,
): Promise<number> {
  const child = await startOnTerminal(place, command, signal);
  const isOver = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  const failed = once(child, "error").then(([error]) => {
    throw error;
  });
  const passing = Promise.all([
    passOn(child.stdout as Readable, (bytes) => streams.writeStdout(bytes)),
    // Said by those who make the terminal: on it, there is one way out.
    passOn(child.stderr as Readable, (bytes) => streams.writeStderr(bytes)),
  ]);
  // Whoever listens may go away before the command ends; it is awaited below.
  passing.catch(() => {});
  const over = new AbortController();
  const resize = (terminal: string, size: TerminalSize) => setSize(place, terminal, size, over.signal);
  serve(child, { ...streams, resize }, signal).catch(() => hangUp(child));
  try {
    const [code] = await Promise.race([isOver, failed]);
    await passing;
    return code ?? 137;
  } finally {
    over.abort();
  }
}

async function startOnTerminal(
  place: CommandPlace,
  command: readonly string[],
  signal: AbortSignal,
): Promise<ChildProcess> {
  const script = terminalTool();
  if (script === undefined) throw noTerminals();
  const env = await environmentOf(place.pid);
  const entering = enteringCommand(place, command, (words) => terminalCommand(script, words, env["SHELL"]));
  const [program = "", ...args] = endingWithAgent(entering);
  return spawn(program, args, {
    cwd: cwdOf(place),
    env: terminalEnvironment(env),
    signal,
    killSignal: "SIGKILL",
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  });
}

/** With the agent the client has gone: a terminal that nobody sits in front of is hung up. */
function endingWithAgent(words: readonly string[]): readonly string[] {
  const setpriv = foundTool("setpriv");
  return setpriv === undefined ? words : [setpriv, "--pdeathsig", "KILL", "--", ...words];
}

/** Everything from in front of the terminal to it, in order: the first size, then what is typed, and later sizes meanwhile. */
async function serve(
  child: ChildProcess,
  { stdin, sizes, resize }: TerminalStreams & Resizing,
  signal: AbortSignal,
): Promise<void> {
  const told = new TerminalSizes(sizes);
  const control = child.stdio[controlFd] as Duplex;
  const [terminal, size] = await Promise.all([firstLine(control), told.first()]);
  // It has ended already, and has said why.
  if (terminal === undefined) return;
  const leader = terminalLeader(child.pid ?? 0);
  if (leader !== undefined) whenGone(signal, () => endLeaderLater(leader));
  control.end(`${size?.rows ?? 0} ${size?.columns ?? 0}\n`);
  const resizing = new TerminalResizing();
  const following = resizing.follow(told.later(), (later) => resize(terminal, later));
  const typed = stdin === undefined ? undefined : resizing.afterSizes(stdin);
  await Promise.all([following, typed === undefined ? undefined : typeToEnd(child.stdin as Writable, typed)]);
}

async function typeToEnd(terminal: Writable, typed: AsyncIterable<Uint8Array>): Promise<void> {
  terminal.write(await typeInto(terminal, typed));
}

/** Undefined when there is none. */
async function firstLine(from: Duplex): Promise<string | undefined> {
  let text = "";
  // Whoever speaks here may end at any time.
  from.on("error", () => {});
  for await (const bytes of from.iterator({ destroyOnReturn: false })) {
    text += String(bytes);
    if (text.includes("\n")) return text.slice(0, text.indexOf("\n"));
  }
  return undefined;
}

/** The kernel tells whoever is in front of the terminal. */
async function setSize(place: CommandPlace, terminal: string, size: TerminalSize, over: AbortSignal): Promise<void> {
  if (over.aborted) return;
  const command = [toolFile("stty"), "-F", terminal, "rows", String(size.rows), "columns", String(size.columns)];
  const quiet = { writeStdout: async () => {}, writeStderr: async () => {} };
  // The command, or the container, may have ended just now.
  await runInContainer(place, command, quiet, over).catch(() => {});
}

function whenGone(signal: AbortSignal, then: () => void): void {
  if (signal.aborted) then();
  else signal.addEventListener("abort", then, { once: true });
}

function hangUp(child: ChildProcess): void {
  child.kill("SIGKILL");
}
