import type { SpdyConnection, SpdyStream } from "../../../spdy/index.ts";
import type { ExecOptions, TerminalSize } from "../node-agents.ts";
import type { Execution } from "./exec-connection.ts";
import { execStatus } from "./exec-status.ts";
import { terminalSize } from "./terminal-size.ts";

/** What a stream is for, by its header. Those that a command does not have are not opened. */
type StreamType = "error" | "stdin" | "stdout" | "stderr" | "resize";

/** How long the client may take to open all of its streams. */
const OPENING_MS = 60_000;

export const execStreamProtocol = "v4.channel.k8s.io";

/** Runs until the process has ended or the client has gone; how it ended is told on the stream for errors, which is the last that is sent. */
export async function runExecStreams(
  connection: SpdyConnection,
  { agents, container, options }: Execution,
): Promise<void> {
  const { opened, isComplete, serving } = openStreams(connection, options);
  if (!(await isComplete)) return await serving;
  const write = (type: StreamType) => async (bytes: Uint8Array) => await opened.get(type)?.write(bytes);
  const streams = {
    stdin: opened.get("stdin")?.incoming ?? nothing(),
    resizes: sizesIn(opened.get("resize")?.incoming ?? nothing()),
    writeStdout: write("stdout"),
    // A terminal has one way out.
    writeStderr: write(options.isTerminal ? "stdout" : "stderr"),
  };
  const status = await execStatus(agents.exec(container, options, streams, connection.gone));
  await write("error")(Buffer.from(JSON.stringify(status)));
  for (const stream of opened.values()) {
    stream.ignoreIncoming();
    await stream.end();
  }
  connection.end();
  await serving;
}

interface OpenedStreams {
  readonly opened: ReadonlyMap<string, SpdyStream>;
  /** False when not all of them came: the connection is over, or soon will be. */
  readonly isComplete: Promise<boolean>;
  readonly serving: Promise<void>;
}

function openStreams(connection: SpdyConnection, options: ExecOptions): OpenedStreams {
  const wanted = wantedStreams(options);
  const opened = new Map<string, SpdyStream>();
  const { promise: isComplete, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => connection.end(), OPENING_MS);
  const serving = connection.serve((stream) => {
    const type = stream.headers.get("streamtype") ?? "";
    if (!wanted.has(type) || opened.has(type)) return false;
    opened.set(type, stream);
    if (type !== "stdin" && type !== "resize") stream.ignoreIncoming();
    if (opened.size === wanted.size) {
      clearTimeout(timer);
      resolve(true);
    }
    return true;
  });
  const onOver = () => {
    clearTimeout(timer);
    resolve(false);
  };
  // Whoever waits for it hears of a failure, too.
  serving.then(onOver, onOver);
  return { opened, isComplete, serving };
}

function wantedStreams({ hasStdin, hasStdout, hasStderr, isTerminal }: ExecOptions): ReadonlySet<string> {
  const types: readonly (readonly [StreamType, boolean])[] = [
    ["error", true],
    ["stdin", hasStdin],
    ["stdout", hasStdout],
    ["stderr", hasStderr],
    ["resize", isTerminal],
  ];
  return new Set(types.flatMap(([type, isWanted]) => (isWanted ? [type] : [])));
}

/** Each on a line; no line is longer than a size can be. */
async function* sizesIn(incoming: AsyncIterable<Uint8Array>): AsyncGenerator<TerminalSize> {
  const longest = 256;
  let rest = "";
  for await (const bytes of incoming) {
    const lines = (rest + Buffer.from(bytes).toString("latin1")).split("\n");
    rest = (lines.pop() ?? "").slice(0, longest);
    for (const line of lines) {
      const size = terminalSize(Buffer.from(line));
      if (size !== undefined) yield size;
    }
  }
}

async function* nothing(): AsyncGenerator<never> {}
