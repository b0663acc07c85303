import { createHash } from "node:crypto";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import { encodeFrame, type Frame, FrameReader, mostBytes, opcodes, WebSocketProblem } from "./websocket-frames.ts";

const acceptance = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** How long the client may take to close once it is told that nothing more comes. */
const CLOSE_MS = 60_000;

export interface Agreement {
  readonly key: string;
  readonly protocol: string;
  /** What came with the request already. */
  readonly head: Buffer;
}

/** The server's side of a WebSocket. */
export class WebSocketConnection {
  readonly #socket: Duplex;
  readonly #head: Buffer;
  readonly #gone = new AbortController();
  #isClosing = false;

  constructor(socket: Duplex, { key, protocol, head }: Agreement) {
    this.#socket = socket;
    this.#head = head;
    // Whoever reads or writes finds out by the signal.
    socket.on("error", () => this.#gone.abort());
    socket.on("close", () => this.#gone.abort());
    const answer = createHash("sha1")
      .update(key + acceptance)
      .digest("base64");
    const lines = ["Upgrade: websocket", "Connection: Upgrade", `Sec-WebSocket-Accept: ${answer}`];
    const agreed = protocol === "" ? [] : [`Sec-WebSocket-Protocol: ${protocol}`];
    socket.write(`${["HTTP/1.1 101 Switching Protocols", ...lines, ...agreed].join("\r\n")}\r\n\r\n`);
  }

  /** Aborted when the connection is over. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Whole, whether they are text or not. Ends when the client closes, goes away or breaks the rules. */
  async *messages(): AsyncGenerator<Buffer> {
    let parts: Buffer[] = [];
    let length = 0;
    for await (const { isLast, payload } of this.#frames()) {
      parts.push(payload);
      length += payload.length;
      if (length > mostBytes) return await this.close(1009);
      if (!isLast) continue;
      yield Buffer.concat(parts);
      parts = [];
      length = 0;
    }
  }

  /** The same for those to whom it means nothing where a message ends: what is in binary ones, as it comes. */
  async *pieces(): AsyncGenerator<Buffer> {
    for await (const { opcode, payload } of this.#frames()) {
      if (opcode === opcodes.text) return await this.close(1003);
      if (payload.length > 0) yield payload;
    }
  }

  /** Settles when more may be sent. What nobody is there to read is lost. */
  async send(payload: Uint8Array): Promise<void> {
    if (this.#isClosing || this.#gone.signal.aborted) return;
    if (this.#socket.write(encodeFrame(opcodes.binary, payload))) return;
    await once(this.#socket, "drain", { signal: this.#gone.signal }).catch(() => {});
  }

  /** Nothing more is said, but what was is sent. */
  async close(code: number): Promise<void> {
    if (this.#isClosing || this.#gone.signal.aborted) return;
    this.#isClosing = true;
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    this.#socket.end(encodeFrame(opcodes.close, payload));
  }

  /** Nothing is waited for any more. */
  destroy(): void {
    if (!this.#gone.signal.aborted) this.#socket.destroy();
  }

  /** Whatever is pinged for is answered meanwhile. */
  async *#frames(): AsyncGenerator<Frame> {
    const reader = new FrameReader();
    try {
      for await (const bytes of this.#bytes()) {
        for (const frame of reader.push(bytes)) {
          if (frame.opcode === opcodes.close) return await this.close(1000);
          if (frame.opcode >= opcodes.close) this.#answerControl(frame);
          else yield frame;
        }
      }
    } catch (error) {
      if (error instanceof WebSocketProblem) await this.close(error.code);
      else if (!this.#gone.signal.aborted) throw error;
    } finally {
      this.#leave();
    }
  }

  /** Nobody reads any more; the client may still hear what was said last. */
  #leave(): void {
    this.#gone.abort();
    if (this.#socket.destroyed) return;
    this.#socket.end();
    this.#socket.resume();
    const timer = setTimeout(() => this.#socket.destroy(), CLOSE_MS);
    this.#socket.once("close", () => clearTimeout(timer));
  }

  #answerControl({ opcode, payload }: Frame): void {
    if (opcode === opcodes.ping && !this.#isClosing) this.#socket.write(encodeFrame(opcodes.pong, payload));
  }

  async *#bytes(): AsyncGenerator<Buffer> {
    if (this.#head.length > 0) yield this.#head;
    // It is to be told why it ends, and not only cut off.
    yield* this.#socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  }
}
