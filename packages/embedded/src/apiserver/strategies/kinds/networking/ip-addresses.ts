import { isIP, isIPv6 } from "node:net";
import { type FieldError, invalid } from "@stowage/machinery/structural";

const quad = /^\d{1,}(?:\.\d{1,}){3}$/u;
const mapped = /^::ffff:[0-9a-f]+:[0-9a-f]+$/u;

/** With zeros in front of its parts, which some programs read as octal. */
function isZeroPadded(text: string): boolean {
  return quad.test(text) && text.split(".").every((part) => Number(part) <= 255);
}

function isMapped(text: string): boolean {
  return isIPv6(text) && mapped.test(canonicalAddress(text));
}

/** Those that were kept before they were looked at so closely may stay. */
export function addressErrors(text: string, path: string, known: readonly string[] = []): FieldError[] {
  if (known.includes(text)) return [];
  if (isIP(text) === 0 || text.includes("%")) {
    const detail = isZeroPadded(text)
      ? "must not have leading 0s"
      : "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
    return [invalid(path, text, detail)];
  }
  return isMapped(text) ? [invalid(path, text, "must not be an IPv4-mapped IPv6 address")] : [];
}

export function rangeErrors(text: string, path: string, known: readonly string[] = []): FieldError[] {
  if (known.includes(text)) return [];
  const [address = "", length = ""] = text.split("/");
  const isPadded = isIP(address) === 0 && isZeroPadded(address);
  const bits = isIPv6(address) ? 128 : 32;
  const isRange = (isIP(address) !== 0 || isPadded) && /^\d+$/u.test(length) && Number(length) <= bits;
  if (!isRange) return [invalid(path, text, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")];
  if (isPadded || /^0\d/u.test(length)) return [invalid(path, text, "must not have leading 0s in IP or prefix length")];
  if (isMapped(address)) return [invalid(path, text, "must not have an IPv4-mapped IPv6 address")];
  if (hasBitsBeyond(address, Number(length))) {
    return [invalid(path, text, "must not have bits set beyond the prefix length")];
  }
  return [];
}

function hasBitsBeyond(address: string, length: number): boolean {
  const bits = isIPv6(address) ? 128 : 32;
  return numberOfAddress(address) % (1n << BigInt(bits - length)) !== 0n;
}

function numberOfAddress(address: string): bigint {
  if (!isIPv6(address)) return joined(address.split(".").map(Number), 8n);
  return joined(sixteens(address), 16n);
}

function joined(parts: readonly number[], width: bigint): bigint {
  return parts.reduce((sum, part) => (sum << width) + BigInt(part), 0n);
}

function sixteens(address: string): number[] {
  const [head = "", tail] = canonicalAddress(address).split("::");
  const parts = (text: string) => (text === "" ? [] : text.split(":").map((part) => Number.parseInt(part, 16)));
  if (tail === undefined) return parts(head);
  const [front, back] = [parts(head), parts(tail)];
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0), ...back];
}

function canonicalAddress(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

/** What no service may be reached by. */
const special = [
  { range: /^(?:0\.0\.0\.0|::)$/u, name: "may not be unspecified" },
  { range: /^(?:127\.|::1$)/u, name: "may not be in the loopback range (127.0.0.0/8, ::1/128)" },
  { range: /^(?:169\.254\.|fe[89ab])/u, name: "may not be in the link-local range (169.254.0.0/16, fe80::/10)" },
  { range: /^(?:224\.0\.0\.|ff.2:)/u, name: "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)" },
];

export function endpointAddressErrors(address: string, path: string): FieldError[] {
  const canonical = canonicalAddress(address);
  return special.flatMap(({ range, name }) => {
    if (!range.test(canonical)) return [];
    return [invalid(path, address, name === "may not be unspecified" ? `may not be unspecified (${address})` : name)];
  });
}

export function addressWarnings(address: string, path: string): string[] {
  if (!isIPv6(address) || canonicalAddress(address) === address) return [];
  const canonical = canonicalAddress(address);
  return [`${path}: IPv6 address "${address}" should be in RFC 5952 canonical format ("${canonical}")`];
}

export function familyOf(address: string): "IPv4" | "IPv6" {
  return isIPv6(address) ? "IPv6" : "IPv4";
}

/** Whether the second range is a part of the first, and not all of it; undefined when one of them is none. */
export function containsRange(outer: string, inner: string): boolean | undefined {
  const [all, part] = [outer, inner].map(rangeOf);
  if (all === undefined || part === undefined) return undefined;
  const isInside = all.bits === part.bits && all.length < part.length;
  const rest = BigInt(all.bits - all.length);
  return isInside && all.address >> rest === part.address >> rest;
}

function rangeOf(text: string): { address: bigint; length: number; bits: number } | undefined {
  const [address = "", length = ""] = text.split("/");
  const bits = isIPv6(address) ? 128 : 32;
  if (isIP(address) === 0 || !/^\d+$/u.test(length) || Number(length) > bits) return undefined;
  return { address: numberOfAddress(address), length: Number(length), bits };
}
