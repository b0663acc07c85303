import { StowageError } from "@stowage/machinery";
import type { ResponseHead } from "./response-head.ts";

/** Takes the bytes of a connection after the head, and hands over those of the body. */
export interface BodyDecoder {
  /** Calls `onBody` for each piece, without copying it. */
  push(bytes: Buffer, onBody: (piece: Buffer) => void): void;
  /** The body is complete. */
  readonly isDone: boolean;
  /** The connection has ended: true when a body may end so. */
  readonly mayEnd: boolean;
}

export function createBodyDecoder(head: ResponseHead, server: string): BodyDecoder {
  if (head.headers["transfer-encoding"]?.toLowerCase() === "chunked") return new ChunkedDecoder(server);
  const length = head.headers["content-length"];
  if (length === undefined) return new LengthDecoder(Number.POSITIVE_INFINITY);
  if (!/^\d{1,15}$/.test(length)) throw malformed(server, `a content-length of "${length.slice(0, 20)}"`);
  return new LengthDecoder(Number(length));
}

/** So many bytes, or all until the end of the connection. */
class LengthDecoder implements BodyDecoder {
  #left: number;

  constructor(length: number) {
    this.#left = length;
  }

  get isDone(): boolean {
    return this.#left === 0;
  }

  get mayEnd(): boolean {
    return this.#left === 0 || this.#left === Number.POSITIVE_INFINITY;
  }

  push(bytes: Buffer, onBody: (piece: Buffer) => void): void {
    const piece = bytes.length <= this.#left ? bytes : bytes.subarray(0, this.#left);
    this.#left -= piece.length;
    if (piece.length > 0) onBody(piece);
  }
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** A size with its extensions, or a trailer. */
const MAXIMUM_LINE_BYTES = 16 * 1024;
const MAXIMUM_PLAIN_DIGITS = 8;
const CHUNK_SIZE = /^([0-9a-fA-F]{1,13})[ \t]*(?:;.*)?$/;

/** The chunked transfer coding: each piece has its size, in hexadecimal, on a line before it. */
class ChunkedDecoder implements BodyDecoder {
  readonly #server: string;
  /** Of the present chunk. */
  #chunkLeft = 0;
  #line = "";
  #state: "size" | "chunk" | "chunk end" | "trailer" | "done" = "size";

  constructor(server: string) {
    this.#server = server;
  }

  get isDone(): boolean {
    return this.#state === "done";
  }

  get mayEnd(): boolean {
    return this.isDone;
  }

  push(bytes: Buffer, onBody: (piece: Buffer) => void): void {
    let at = 0;
    while (at < bytes.length && this.#state !== "done") {
      if (this.#state === "chunk") at = this.#takeChunk(bytes, at, onBody);
      else at = this.#takePlainLine(bytes, at) ?? this.#takeLine(bytes, at);
    }
  }

  #takeChunk(bytes: Buffer, at: number, onBody: (piece: Buffer) => void): number {
    const end = Math.min(bytes.length, at + this.#chunkLeft);
    onBody(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end));
    this.#chunkLeft -= end - at;
    if (this.#chunkLeft === 0) this.#state = "chunk end";
    return end;
  }

  /** The usual case, without making a string: a size of digits alone, or the end of a chunk, whole in these bytes. */
  #takePlainLine(bytes: Buffer, start: number): number | undefined {
    if (this.#line !== "" || this.#state === "trailer") return undefined;
    let size = 0;
    let at = start;
    for (
      let digit = hexDigit(bytes[at]);
      digit >= 0 && at - start < MAXIMUM_PLAIN_DIGITS;
      digit = hexDigit(bytes[at])
    ) {
      size = size * 16 + digit;
      at++;
    }
    if (bytes[at] !== CARRIAGE_RETURN || bytes[at + 1] !== LINE_FEED) return undefined;
    const isEmpty = at === start;
    if (isEmpty !== (this.#state === "chunk end")) return undefined;
    if (isEmpty) this.#state = "size";
    else this.#beginChunk(size);
    return at + 2;
  }

  #beginChunk(size: number): void {
    this.#chunkLeft = size;
    this.#state = size === 0 ? "trailer" : "chunk";
  }

  #takeLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LINE_FEED, at);
    this.#line += bytes.toString("latin1", at, end < 0 ? bytes.length : end);
    if (this.#line.length > MAXIMUM_LINE_BYTES) throw malformed(this.#server, "a chunk size without end");
    if (end < 0) return bytes.length;
    const line = this.#line.endsWith("\r") ? this.#line.slice(0, -1) : this.#line;
    this.#line = "";
    this.#endLine(line);
    return end + 1;
  }

  #endLine(line: string): void {
    if (this.#state === "chunk end") {
      if (line !== "") throw malformed(this.#server, "a chunk that is longer than its size");
      this.#state = "size";
    } else if (this.#state === "trailer") {
      if (line === "") this.#state = "done";
    } else {
      const size = CHUNK_SIZE.exec(line)?.[1];
      if (size === undefined) throw malformed(this.#server, `a chunk size of "${line.slice(0, 20)}"`);
      this.#beginChunk(Number.parseInt(size, 16));
    }
  }
}

/** The value of a hexadecimal digit; negative for any other byte. */
function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}

function malformed(server: string, what: string): StowageError {
  return new StowageError("RESPONSE_CUT_OFF", `${server} sent a body with ${what}.`);
}
