import type { Duplex } from "node:stream";
import {
  ChannelSocket,
  execChannels,
  forwardChannels,
  ItemQueue,
  type NodeAgents,
  questionAt,
} from "../../apiserver/index.ts";
import { IncomingBytes } from "../../spdy/index.ts";

/** A connection that is no longer HTTP, and what came with the request already. */
export interface OpenConnection {
  readonly socket: Duplex;
  readonly head: Buffer;
}

const { stdin, stdout, stderr, resize, end } = execChannels;

/** Runs a command until it has ended or nobody listens any more; how it ended is the last thing that is sent. */
export async function serveExec(agents: NodeAgents, url: URL, { socket, head }: OpenConnection): Promise<void> {
  const { container, options } = questionAt("exec", url);
  const channels = new ChannelSocket(socket);
  const typed = new ItemQueue<Uint8Array>();
  const resizes = new ItemQueue<{ columns: number; rows: number }>();
  const streams = {
    stdin: typed,
    resizes,
    writeStdout: (bytes: Uint8Array) => channels.send(stdout, bytes),
    writeStderr: (bytes: Uint8Array) => channels.send(stderr, bytes),
  };
  const reading = (async () => {
    for await (const { channel, bytes } of channels.messages(head)) {
      if (channel === stdin && bytes.length === 0) typed.end();
      else if (channel === stdin) typed.push(bytes);
      else if (channel === resize)
        resizes.push(JSON.parse(bytes.toString("utf8")) as { columns: number; rows: number });
    }
    typed.end();
    resizes.end();
  })();
  const outcome = await agents
    .exec(container, options, streams, channels.gone)
    .then((exitCode) => ({ exitCode }), problemOf);
  await channels.send(end, Buffer.from(JSON.stringify(outcome)));
  channels.end();
  await reading;
}

/** One connection to a port of a Pod, until it or whoever asked has ended it; what went wrong is the last thing that is sent. */
export async function serveForward(agents: NodeAgents, url: URL, { socket, head }: OpenConnection): Promise<void> {
  const { container, port } = questionAt("forward", url);
  const channels = new ChannelSocket(socket);
  const incoming = new IncomingBytes();
  const reading = (async () => {
    for await (const { bytes } of channels.messages(head)) {
      if (bytes.length === 0) incoming.end();
      else await incoming.push(bytes);
    }
    incoming.end();
  })();
  const stream = { incoming, write: (bytes: Uint8Array) => channels.send(forwardChannels.data, bytes) };
  const outcome = await agents.forward(container, port, stream, channels.gone).then(() => ({}), problemOf);
  // Nobody reads it any more, and what waits for that is not to wait.
  incoming.ignore();
  await channels.send(forwardChannels.end, Buffer.from(JSON.stringify(outcome)));
  channels.end();
  await reading;
}

function problemOf(error: unknown): { readonly problem: string } {
  return { problem: error instanceof Error ? error.message : "unknown" };
}
