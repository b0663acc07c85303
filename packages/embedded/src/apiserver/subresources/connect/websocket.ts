import { createHash } from "node:crypto";
import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import { encodeFrame, type Frame, FrameReader, opcodes, WebSocketProblem } from "./websocket-frames.ts";

const acceptance = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Undefined when the request asks for something else. */
export function webSocketKey(headers: IncomingHttpHeaders): string | undefined {
  const isWanted = (headers.upgrade ?? "").toLowerCase() === "websocket";
  const isKnown = headers["sec-websocket-version"] === "13";
  return isWanted && isKnown ? headers["sec-websocket-key"] : undefined;
}

/** In the order of the client's liking. */
export function askedProtocols(headers: IncomingHttpHeaders): string[] {
  const asked = headers["sec-websocket-protocol"] ?? "";
  return asked
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

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

  /** Ends when the client closes, goes away or breaks the rules. Whatever is pinged for is answered meanwhile. */
  async *messages(): AsyncGenerator<Buffer> {
    const reader = new FrameReader();
    let parts: Buffer[] = [];
    try {
      for await (const bytes of this.#bytes()) {
        for (const frame of reader.push(bytes)) {
          if (frame.opcode === opcodes.close) return await this.close(1000);
          if (frame.opcode >= opcodes.close) this.#answerControl(frame);
          else {
            parts.push(frame.payload);
            if (!frame.isLast) continue;
            yield Buffer.concat(parts);
            parts = [];
          }
        }
      }
    } catch (error) {
      if (error instanceof WebSocketProblem) await this.close(error.code);
      else if (!this.#gone.signal.aborted) throw error;
    } finally {
      this.#gone.abort();
    }
  }

  /** Settles when more may be sent. What nobody is there to read is lost. */
  async send(payload: Uint8Array): Promise<void> {
    if (this.#isClosing || this.#gone.signal.aborted) return;
    if (this.#socket.write(encodeFrame(opcodes.binary, payload))) return;
    await Promise.race([once(this.#socket, "drain", { signal: this.#gone.signal }).catch(() => {}), this.#ended()]);
  }

  async close(code: number): Promise<void> {
    if (this.#isClosing || this.#gone.signal.aborted) return;
    this.#isClosing = true;
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    this.#socket.end(encodeFrame(opcodes.close, payload));
  }

  async #ended(): Promise<void> {
    const { signal } = this.#gone;
    if (!signal.aborted) await once(signal, "abort");
  }

  #answerControl({ opcode, payload }: Frame): void {
    if (opcode === opcodes.ping && !this.#isClosing) this.#socket.write(encodeFrame(opcodes.pong, payload));
  }

  async *#bytes(): AsyncGenerator<Buffer> {
    if (this.#head.length > 0) yield this.#head;
    for await (const chunk of this.#socket) yield chunk as Buffer;
  }
}
