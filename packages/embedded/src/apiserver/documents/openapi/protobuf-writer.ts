/** Writes messages of protocol buffers, field by field. */
export class ProtobufWriter {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  text(number: number, value: string): void {
    this.#sized(number, Buffer.from(value));
  }

  /** Not below zero. */
  integer(number: number, value: number): void {
    this.#add(varint(number * 8), varint(value));
  }

  double(number: number, value: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    this.#add(varint(number * 8 + 1), bytes);
  }

  message(number: number, write: (inner: ProtobufWriter) => void): void {
    const inner = new ProtobufWriter();
    write(inner);
    this.#sized(number, inner.bytes());
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#parts, this.#length);
  }

  #sized(number: number, bytes: Uint8Array): void {
    this.#add(varint(number * 8 + 2), varint(bytes.length), bytes);
  }

  #add(...parts: readonly Uint8Array[]): void {
    for (const part of parts) {
      this.#parts.push(part);
      this.#length += part.length;
    }
  }
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
