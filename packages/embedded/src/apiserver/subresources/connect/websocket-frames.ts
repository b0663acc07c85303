/** Frames of RFC 6455, without extensions. */
export interface Frame {
  readonly isLast: boolean;
  readonly opcode: number;
  readonly payload: Buffer;
}

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Why a connection has to end, with the code that the other side is told. */
export class WebSocketProblem extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = "WebSocketProblem";
    this.code = code;
  }
}

/** As a server sends it: whole, and not masked. */
export function encodeFrame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  if (length < 126) head[1] = length;
  else if (length < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}

/** No client sends more at once; what does is no client of ours. */
export const mostBytes = 4 * 1024 * 1024;

interface FrameHead {
  readonly isLast: boolean;
  readonly opcode: number;
  readonly length: number;
  readonly headLength: number;
}

/** Takes bytes as they come and gives the frames that are whole. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** Throws `WebSocketProblem` at what no client may send. */
  *push(bytes: Buffer): Generator<Frame> {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const head = readHead(this.#rest);
      if (head === undefined || this.#rest.length < head.headLength + head.length) return;
      const { isLast, opcode, headLength, length } = head;
      const mask = this.#rest.subarray(headLength - 4, headLength);
      const payload = Buffer.from(this.#rest.subarray(headLength, headLength + length));
      for (let index = 0; index < length; index++) payload[index] = (payload[index] ?? 0) ^ (mask[index & 3] ?? 0);
      this.#rest = this.#rest.subarray(headLength + length);
      yield { isLast, opcode, payload };
    }
  }
}

/** Undefined while it is not all there. */
function readHead(bytes: Buffer): FrameHead | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  if ((first & 0x70) !== 0) throw new WebSocketProblem(1002, "extensions were not agreed on");
  if ((second & 0x80) === 0) throw new WebSocketProblem(1002, "frames of clients are masked");
  const short = second & 0x7f;
  const headLength = (short === 126 ? 4 : short === 127 ? 10 : 2) + 4;
  if (bytes.length < headLength) return undefined;
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (length > mostBytes) throw new WebSocketProblem(1009, "the frame is too large");
  const opcode = first & 0x0f;
  if (opcode >= opcodes.close && (length > 125 || (first & 0x80) === 0)) {
    throw new WebSocketProblem(1002, "control frames are short and whole");
  }
  return { isLast: (first & 0x80) !== 0, opcode, length, headLength };
}
