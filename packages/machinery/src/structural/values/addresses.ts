/** The bytes of an address, as Go's parsers read them: 4 or 16, undefined for what is none. */
export function parseIp(text: string, leadingZeros = false): Uint8Array | undefined {
  return text.includes(":") ? parseIpv6(text) : parseIpv4(text, leadingZeros);
}

function parseIpv4(text: string, leadingZeros = false): Uint8Array | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  const bytes = new Uint8Array(4);
  for (const [position, part] of parts.entries()) {
    if (!/^\d{1,3}$/.test(part) || Number(part) > 255) return undefined;
    if (!leadingZeros && part.length > 1 && part.startsWith("0")) return undefined;
    bytes[position] = Number(part);
  }
  return bytes;
}

export function parseIpv6(text: string): Uint8Array | undefined {
  const [head = "", tail, more] = text.split("::");
  if (more !== undefined) return undefined;
  const first = groups(head, tail === undefined);
  const last = tail === undefined ? [] : groups(tail, true);
  if (first === undefined || last === undefined) return undefined;
  const missing = 8 - first.length - last.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const words = [...first, ...Array.from({ length: Math.max(missing, 0) }, () => 0), ...last];
  return Uint8Array.from(words.flatMap((word) => [word >> 8, word & 0xff]));
}

/** The last group may be an IPv4 address, which stands for two. */
function groups(text: string, mayEndInIpv4: boolean): number[] | undefined {
  if (text === "") return [];
  const words: number[] = [];
  const parts = text.split(":");
  for (const [position, part] of parts.entries()) {
    if (mayEndInIpv4 && position === parts.length - 1 && part.includes(".")) {
      const bytes = parseIpv4(part);
      if (bytes === undefined) return undefined;
      words.push(((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0), ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0));
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      words.push(Number.parseInt(part, 16));
    } else {
      return undefined;
    }
  }
  return words;
}

export function isIpv4(text: string): boolean {
  return text.includes(".") && parseIp(text, true) !== undefined;
}

export function isIpv6(text: string): boolean {
  return text.includes(":") && parseIp(text) !== undefined;
}

export interface Cidr {
  readonly address: Uint8Array;
  readonly bits: number;
}

export function parseCidr(text: string, leadingZeros = false): Cidr | undefined {
  const slash = text.indexOf("/");
  if (slash === -1) return undefined;
  const address = parseIp(text.slice(0, slash), leadingZeros);
  const bits = text.slice(slash + 1);
  if (address === undefined || !/^\d{1,3}$/.test(bits) || Number(bits) > address.length * 8) return undefined;
  return { address, bits: Number(bits) };
}

export function isCidr(text: string): boolean {
  return parseCidr(text, true) !== undefined;
}

export function isMac(text: string): boolean {
  const pairs = /^[0-9a-fA-F]{2}([:-])[0-9a-fA-F]{2}(?:\1[0-9a-fA-F]{2})+$/.test(text);
  if (pairs) return [6, 8, 20].includes((text.length + 1) / 3);
  return /^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4})+$/.test(text) && [3, 4, 10].includes((text.length + 1) / 5);
}
