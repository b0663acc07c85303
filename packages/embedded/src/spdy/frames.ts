import { limits, SpdyProblem } from "./limits.ts";

/** Frames of SPDY/3.1. Headers are still compressed. Data comes in pieces, as it arrives: `isLast` is true for the last of its stream. */
export type SpdyFrame =
  | { readonly kind: "data"; readonly streamId: number; readonly bytes: Buffer; readonly isLast: boolean }
  | HeaderFrame
  | { readonly kind: "rst-stream"; readonly streamId: number; readonly status: number }
  | { readonly kind: "ping"; readonly id: number }
  | { readonly kind: "go-away"; readonly lastStreamId: number; readonly status: number }
  | { readonly kind: "passed-over" };

export interface HeaderFrame {
  readonly kind: "syn-stream" | "syn-reply" | "headers";
  readonly streamId: number;
  readonly block: Buffer;
  readonly isLast: boolean;
}

export const resetStatus = { protocolError: 1, invalidStream: 2, refusedStream: 3, cancel: 5 } as const;
export const goAwayStatus = { ok: 0, protocolError: 1 } as const;

const types = { synStream: 1, synReply: 2, rstStream: 3, settings: 4, ping: 6, goAway: 7, headers: 8, windowUpdate: 9 };
const headBytes = 8;
const lastFlag = 1;
const version = 3;
const idMask = 0x7fff_ffff;

/** Takes bytes as they come, and gives frames. Of control frames it keeps one at most; of data, nothing. */
export class SpdyFrameReader {
  #rest: Buffer = Buffer.alloc(0);
  /** A data frame that is not all there. */
  #data: { readonly streamId: number; readonly isLast: boolean; left: number } | undefined;

  /** Throws `SpdyProblem` at what nobody may send. */
  *push(bytes: Buffer): Generator<SpdyFrame> {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const frame = this.#data === undefined ? this.#next() : this.#piece(this.#data);
      if (frame === "more") return;
      if (frame !== undefined) yield frame;
    }
  }

  #next(): SpdyFrame | "more" | undefined {
    if (this.#rest.length < headBytes) return "more";
    const first = this.#rest.readUInt32BE(0);
    const flags = this.#rest.readUInt8(4);
    const length = this.#rest.readUIntBE(5, 3);
    if (first <= idMask) {
      if (first === 0) throw new SpdyProblem("no stream is called 0");
      this.#data = { streamId: first, isLast: (flags & lastFlag) !== 0, left: length };
      this.#rest = this.#rest.subarray(headBytes);
      return undefined;
    }
    if ((first >>> 16) - 0x8000 !== version) throw new SpdyProblem("it is another version of the protocol");
    if (length > limits.controlBytes) throw new SpdyProblem("the frame is too large");
    if (this.#rest.length < headBytes + length) return "more";
    const body = this.#rest.subarray(headBytes, headBytes + length);
    this.#rest = this.#rest.subarray(headBytes + length);
    return controlFrame(first & 0xffff, flags, body);
  }

  #piece(data: { readonly streamId: number; readonly isLast: boolean; left: number }): SpdyFrame | "more" {
    const bytes = this.#rest.subarray(0, data.left);
    if (bytes.length === 0 && data.left > 0) return "more";
    this.#rest = this.#rest.subarray(bytes.length);
    data.left -= bytes.length;
    const isWhole = data.left === 0;
    if (isWhole) this.#data = undefined;
    return { kind: "data", streamId: data.streamId, bytes, isLast: isWhole && data.isLast };
  }
}

function controlFrame(type: number, flags: number, body: Buffer): SpdyFrame {
  const isLast = (flags & lastFlag) !== 0;
  const number = (place: number): number => {
    if (body.length < place + 4) throw new SpdyProblem("the frame is too short");
    return body.readUInt32BE(place);
  };
  const id = (place: number) => number(place) & idMask;
  const stream = () => {
    const streamId = id(0);
    if (streamId === 0) throw new SpdyProblem("no stream is called 0");
    return streamId;
  };
  switch (type) {
    case types.synStream:
      // After the stream: one that it belongs to, and how urgent it is.
      if (body.length < 10) throw new SpdyProblem("the frame is too short");
      return { kind: "syn-stream", streamId: stream(), block: body.subarray(10), isLast };
    case types.synReply:
      return { kind: "syn-reply", streamId: stream(), block: body.subarray(4), isLast };
    case types.headers:
      return { kind: "headers", streamId: stream(), block: body.subarray(4), isLast };
    case types.rstStream:
      return { kind: "rst-stream", streamId: stream(), status: number(4) };
    case types.ping:
      return { kind: "ping", id: number(0) };
    case types.goAway:
      return { kind: "go-away", lastStreamId: id(0), status: number(4) };
    case types.windowUpdate:
      number(4);
      return { kind: "passed-over" };
    case types.settings:
      if (body.length !== 4 + 8 * number(0)) throw new SpdyProblem("the settings are not as long as they say");
      return { kind: "passed-over" };
    default:
      // The specification wants it so.
      return { kind: "passed-over" };
  }
}

export function dataFrame(streamId: number, bytes: Uint8Array, isLast = false): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(streamId);
  head.writeUInt8(isLast ? lastFlag : 0, 4);
  head.writeUIntBE(bytes.length, 5, 3);
  return Buffer.concat([head, bytes]);
}

export function synStreamFrame(streamId: number, block: Uint8Array, isLast = false): Buffer {
  return encodeControl(types.synStream, [streamId, 0], { more: Buffer.concat([Buffer.alloc(2), block]), isLast });
}

export function synReplyFrame(streamId: number, block: Uint8Array): Buffer {
  return encodeControl(types.synReply, [streamId], { more: block });
}

export function resetFrame(streamId: number, status: number): Buffer {
  return encodeControl(types.rstStream, [streamId, status]);
}

export function pingFrame(id: number): Buffer {
  return encodeControl(types.ping, [id]);
}

export function goAwayFrame(lastStreamId: number, status: number): Buffer {
  return encodeControl(types.goAway, [lastStreamId, status]);
}

function encodeControl(
  type: number,
  words: readonly number[],
  { more = Buffer.alloc(0), isLast = false }: { readonly more?: Uint8Array; readonly isLast?: boolean } = {},
): Buffer {
  const head = Buffer.alloc(headBytes + 4 * words.length);
  head.writeUInt16BE(0x8000 | version);
  head.writeUInt16BE(type, 2);
  head.writeUInt8(isLast ? lastFlag : 0, 4);
  head.writeUIntBE(4 * words.length + more.length, 5, 3);
  for (const [index, word] of words.entries()) head.writeUInt32BE(word, headBytes + 4 * index);
  return Buffer.concat([head, more]);
}
