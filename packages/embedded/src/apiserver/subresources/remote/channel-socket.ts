import { once } from "node:events";
import type { Duplex } from "node:stream";

/** The channels of a command. A message on `stdin` that is empty says that there is no more. */
export const execChannels = { stdin: 0, stdout: 1, stderr: 2, resize: 3, end: 4 } as const;

/** The channels of a connection to a port. A message on `data` that is empty says that there is no more. */
export const forwardChannels = { data: 0, end: 1 } as const;

/** What a connection becomes when both sides agree on it. */
export const channelProtocol = "stowage-channels";

const headBytes = 5;
/** More than any side sends at once. */
const mostBytes = 16 * 1024 * 1024;

export interface ChannelMessage {
  readonly channel: number;
  readonly bytes: Buffer;
}

/** Several streams on one connection: each message is a channel, a length and its bytes. */
export class ChannelSocket {
  readonly #socket: Duplex;
  readonly #gone = new AbortController();

  constructor(socket: Duplex) {
    this.#socket = socket;
    // Whoever reads or writes finds out by the signal.
    socket.on("error", () => this.#gone.abort());
    socket.on("close", () => this.#gone.abort());
  }

  /** Aborted when the connection is over. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Settles when more may be sent. What nobody is there to read is lost. */
  async send(channel: number, bytes: Uint8Array): Promise<void> {
    if (this.#gone.signal.aborted) return;
    const head = Buffer.alloc(headBytes);
    head[0] = channel;
    head.writeUInt32BE(bytes.length, 1);
    if (this.#socket.write(Buffer.concat([head, bytes]))) return;
    await once(this.#socket, "drain", { signal: this.#gone.signal }).catch(() => {});
  }

  /** Ends when the other side has, or has gone. */
  async *messages(head: Buffer = Buffer.alloc(0)): AsyncGenerator<ChannelMessage> {
    let rest: Buffer = Buffer.alloc(0);
    try {
      for await (const chunk of this.#bytes(head)) {
        rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        for (let message = firstMessage(rest); message !== undefined; message = firstMessage(rest)) {
          rest = rest.subarray(headBytes + message.bytes.length);
          yield message;
        }
      }
    } catch (error) {
      if (!this.#gone.signal.aborted) throw error;
    } finally {
      this.#gone.abort();
    }
  }

  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  async *#bytes(head: Buffer): AsyncGenerator<Buffer> {
    if (head.length > 0) yield head;
    yield* this.#socket as AsyncIterable<Buffer>;
  }
}

/** Undefined while it is not all there. */
function firstMessage(bytes: Buffer): ChannelMessage | undefined {
  if (bytes.length < headBytes) return undefined;
  const length = bytes.readUInt32BE(1);
  if (length > mostBytes) throw new RangeError("the message is too large");
  if (bytes.length < headBytes + length) return undefined;
  return { channel: bytes[0] ?? 0, bytes: bytes.subarray(headBytes, headBytes + length) };
}
