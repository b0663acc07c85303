/** The few shapes of ASN.1 DER that a certificate is made of (ITU-T X.690). */

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
} as const;

const CONTEXT = 0x80;
const CONSTRUCTED = 0x20;

export const sequence = (...parts: Buffer[]): Buffer => encode(TAG.sequence, ...parts);
export const set = (...parts: Buffer[]): Buffer => encode(TAG.set, ...parts);
export const octetString = (content: Buffer): Buffer => encode(TAG.octetString, content);
export const utf8String = (text: string): Buffer => encode(TAG.utf8String, Buffer.from(text));
export const booleanTrue = (): Buffer => encode(TAG.boolean, Buffer.of(0xff));

/** A bit string of whole bytes, or one whose last `unusedBits` bits do not count. */
export const bitString = (content: Buffer, unusedBits = 0): Buffer =>
  encode(TAG.bitString, Buffer.of(unusedBits), content);

/** `[number]` around other values. */
export const context = (number: number, ...parts: Buffer[]): Buffer => encode(CONTEXT | CONSTRUCTED | number, ...parts);

/** `[number]` in place of a primitive value's own tag. */
export const contextPrimitive = (number: number, content: Buffer): Buffer => encode(CONTEXT | number, content);

/** A number that is not negative, from its bytes. */
export function integer(bytes: Buffer): Buffer {
  const firstSignificant = bytes.findIndex((byte) => byte !== 0);
  const significant = firstSignificant === -1 ? Buffer.of(0) : bytes.subarray(firstSignificant);
  const needsSign = (significant[0] ?? 0) >= 0x80;
  return encode(TAG.integer, needsSign ? Buffer.concat([Buffer.of(0), significant]) : significant);
}

export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return encode(TAG.objectIdentifier, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** Good until 2049; later years are written in another form. */
export function utcTime(moment: Date): Buffer {
  const digits = moment.toISOString().replaceAll(/[-:T]/g, "").slice(2, 14);
  return encode(TAG.utcTime, Buffer.from(`${digits}Z`));
}

function encode(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content]);
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}
