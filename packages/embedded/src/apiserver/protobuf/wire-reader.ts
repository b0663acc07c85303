import { ProtobufError } from "./protobuf-error.ts";

export interface WireField {
  readonly number: number;
  /** Of a text, a message and the like. */
  readonly bytes: Buffer;
  /** Of a number. */
  readonly value: bigint;
}

const nothing = Buffer.alloc(0);

/** The fields of a message, in the order in which they were written. Throws when it is none. */
export function* wireFields(message: Buffer): Generator<WireField> {
  let at = 0;
  const varint = (): bigint => {
    let [value, shift] = [0n, 0n];
    for (;;) {
      const byte = message[at];
      if (byte === undefined || shift > 63n) throw new ProtobufError();
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
      shift += 7n;
    }
  };
  const taken = (length: number): Buffer => {
    if (length < 0 || at + length > message.length) throw new ProtobufError();
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    if (number === 0) throw new ProtobufError();
    const wireType = tag & 7;
    if (wireType === 0) yield { number, bytes: nothing, value: varint() };
    else if (wireType === 1) yield { number, bytes: taken(8), value: 0n };
    else if (wireType === 2) yield { number, bytes: taken(Number(varint())), value: 0n };
    else if (wireType === 5) yield { number, bytes: taken(4), value: 0n };
    else throw new ProtobufError();
  }
}

/** The last field of that number; an empty text or message when there is none. */
export function bytesOf(message: Buffer, number: number): Buffer {
  let found: Buffer = nothing;
  for (const field of wireFields(message)) if (field.number === number) found = field.bytes;
  return found;
}

export function numberOf(message: Buffer, number: number): bigint {
  let found = 0n;
  for (const field of wireFields(message)) if (field.number === number) found = field.value;
  return found;
}
