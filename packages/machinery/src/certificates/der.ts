/** The shapes of ASN.1 DER (ITU-T X.690) that certificates are written in. */

export const sequence = (...parts: readonly Buffer[]): Buffer => encoded(0x30, ...parts);
export const set = (...parts: readonly Buffer[]): Buffer => encoded(0x31, ...parts);
export const octets = (content: Buffer): Buffer => encoded(0x04, content);
export const text = (content: string): Buffer => encoded(0x0c, Buffer.from(content));
export const yes = (): Buffer => encoded(0x01, Buffer.of(0xff));

/** `unusedBits` of the last byte do not count. */
export const bits = (content: Buffer, unusedBits = 0): Buffer => encoded(0x03, Buffer.of(unusedBits), content);

/** `[number]` around other values. */
export const tagged = (number: number, ...parts: readonly Buffer[]): Buffer => encoded(0xa0 | number, ...parts);

/** `[number]` in place of the value's own tag. */
export const retagged = (number: number, content: Buffer): Buffer => encoded(0x80 | number, content);

/** A number that is not negative, from its bytes. */
export function wholeNumber(bytes: Buffer): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const shortest = bytes.subarray(start);
  const looksNegative = ((shortest[0] ?? 0) & 0x80) !== 0;
  return encoded(0x02, Buffer.of(...(looksNegative ? [0] : [])), shortest);
}

/** `2.5.29.17`: the first two arcs share a number, and each number has seven bits in a byte. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...arcs] = dotted.split(".").map(Number);
  return encoded(0x06, Buffer.from([first * 40 + second, ...arcs].flatMap(sevenBitGroups)));
}

/** RFC 5280: two digits for the year until 2049, four from then on. */
export function moment(atMs: number): Buffer {
  const digits = `${new Date(atMs).toISOString().replaceAll(/[-:T]/g, "").slice(0, 14)}Z`;
  return digits < "2050" ? encoded(0x17, Buffer.from(digits.slice(2))) : encoded(0x18, Buffer.from(digits));
}

function sevenBitGroups(value: number): number[] {
  const groups = [value & 0x7f];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128))
    groups.unshift((rest & 0x7f) | 0x80);
  return groups;
}

function encoded(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag), lengthOf(content), content]);
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest & 0xff);
  return Buffer.of(0x80 | bytes.length, ...bytes);
}
