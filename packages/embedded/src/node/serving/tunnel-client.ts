import { Duplex } from "node:stream";

/** As long as the pieces are in which kubectl's library sends a long message. */
const pieceBytes = 32 * 1024;
const opcodes = { continuation: 0, binary: 2, close: 8 };

/** For tests: the client's side of a WebSocket that carries the bytes of something else. It shares nothing with the server's side. */
export class TunnelClient extends Duplex {
  readonly #socket: Duplex;
  #rest: Buffer;
  /** Why the server has closed, as it says. */
  closeCode: number | undefined;

  constructor(socket: Duplex, head: Buffer) {
    super();
    this.#socket = socket;
    this.#rest = head;
    socket.on("data", (bytes: Buffer) => {
      this.#rest = Buffer.concat([this.#rest, bytes]);
      this.#take();
    });
    socket.on("end", () => this.push(null));
    socket.on("close", () => this.destroy());
    socket.on("error", () => {});
    this.#take();
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, onWritten: () => void): void {
    for (let place = 0; place < bytes.length; place += pieceBytes) {
      const opcode = place === 0 ? opcodes.binary : opcodes.continuation;
      const piece = bytes.subarray(place, place + pieceBytes);
      this.#socket.write(masked(opcode, piece, place + pieceBytes >= bytes.length));
    }
    onWritten();
  }

  /** As kubectl does, without waiting for an answer. */
  override _final(onClosed: () => void): void {
    this.#socket.end(masked(opcodes.close, Buffer.of(3, 232), true));
    onClosed();
  }

  override _destroy(error: Error | null, onDestroyed: (error: Error | null) => void): void {
    this.#socket.destroy();
    onDestroyed(error);
  }

  /** Whatever it is. */
  sayBytes(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  #take(): void {
    for (;;) {
      if (this.#rest.length < 2) return;
      const short = this.#rest.readUInt8(1);
      const headLength = short === 127 ? 10 : short === 126 ? 4 : 2;
      if (this.#rest.length < headLength) return;
      const length =
        short === 127 ? Number(this.#rest.readBigUInt64BE(2)) : short === 126 ? this.#rest.readUInt16BE(2) : short;
      if (this.#rest.length < headLength + length) return;
      const payload = this.#rest.subarray(headLength, headLength + length);
      const first = this.#rest.readUInt8(0);
      this.#rest = this.#rest.subarray(headLength + length);
      if (first === (0x80 | opcodes.close)) this.closeCode = payload.readUInt16BE(0);
      else if (first !== (0x80 | opcodes.binary)) throw new Error(`a frame was not expected: ${first}`);
      else if (!this.push(payload)) this.#socket.pause();
    }
  }
}

const mask = Buffer.of(0x37, 0xfa, 0x21, 0x3d);

/** As clients send frames. */
function masked(opcode: number, payload: Uint8Array, isLast: boolean): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : 4);
  head.writeUInt8((isLast ? 0x80 : 0) | opcode);
  head.writeUInt8(0x80 | (length < 126 ? length : 126), 1);
  if (length >= 126) head.writeUInt16BE(length, 2);
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ (mask[index & 3] ?? 0))]);
}
