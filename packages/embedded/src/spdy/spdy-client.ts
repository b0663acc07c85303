import type { Duplex } from "node:stream";
import { dataFrame, type SpdyFrame, SpdyFrameReader, synStreamFrame } from "./frames.ts";
import { HeaderWriter } from "./header-blocks.ts";

/** For tests: the client's side, which says what it is told to, also what it must not, and keeps what it hears. */
export class SpdyClient {
  readonly #socket: Duplex;
  readonly #headers = new HeaderWriter();
  #nextId = 1;
  readonly frames: SpdyFrame[] = [];
  isOver = false;

  constructor(socket: Duplex, head: Buffer = Buffer.alloc(0)) {
    this.#socket = socket;
    const reader = new SpdyFrameReader();
    this.frames.push(...reader.push(head));
    socket.on("data", (bytes: Buffer) => this.frames.push(...reader.push(bytes)));
    socket.on("end", () => {
      this.isOver = true;
    });
    socket.on("error", () => {});
  }

  /** The number of the stream. */
  open(headers: Readonly<Record<string, string>>, isLast = false): number {
    const id = this.#nextId;
    this.#nextId += 2;
    this.send(synStreamFrame(id, this.#headers.write(new Map(Object.entries(headers))), isLast));
    return id;
  }

  /** The number of the next stream. */
  skipTo(id: number): void {
    this.#nextId = id;
  }

  say(id: number, text: string, isLast = false): boolean {
    return this.send(dataFrame(id, Buffer.from(text), isLast));
  }

  send(bytes: Uint8Array): boolean {
    return this.#socket.write(bytes);
  }

  /** Reads nothing until `resume`. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** What was said on a stream, and how it stands. */
  heard(id: number): { readonly text: string; readonly isEnded: boolean; readonly isReset: boolean } {
    const data = this.frames.filter((frame) => frame.kind === "data").filter(({ streamId }) => streamId === id);
    const text = Buffer.concat(data.map(({ bytes }) => bytes)).toString("utf8");
    const isReset = this.frames.some((frame) => frame.kind === "rst-stream" && frame.streamId === id);
    return { text, isEnded: data.some(({ isLast }) => isLast), isReset };
  }

  /** Of all frames, those of a kind. */
  of<Kind extends SpdyFrame["kind"]>(kind: Kind): Extract<SpdyFrame, { kind: Kind }>[] {
    return this.frames.filter((frame) => frame.kind === kind) as Extract<SpdyFrame, { kind: Kind }>[];
  }
}
