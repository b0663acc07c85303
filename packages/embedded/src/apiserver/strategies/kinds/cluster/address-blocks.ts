import { isIP } from "node:net";
import { type FieldError, invalid } from "@stowage/machinery/structural";

const mapped = /^::ffff:/iu;

/** Of a block of addresses in a field that took nearly everything once. */
export function addressBlockErrors(block: string, path: string): FieldError[] {
  const parsed = parseBlock(block);
  if (parsed === undefined) {
    return [invalid(path, block, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")];
  }
  if (parsed.hasZeros) return [invalid(path, block, "must not have leading 0s in IP or prefix length")];
  if (mapped.test(block)) return [invalid(path, block, "must not have an IPv4-mapped IPv6 address")];
  const hasHost = (parsed.bits & ((1n << BigInt(parsed.width - parsed.prefix)) - 1n)) !== 0n;
  return hasHost ? [invalid(path, block, "must not have bits set beyond the prefix length")] : [];
}

/** 4 or 6; 0 for what is no block. */
export function blockFamily(block: string): number {
  const parsed = parseBlock(block);
  return parsed === undefined ? 0 : parsed.width === 32 ? 4 : 6;
}

interface Block {
  readonly bits: bigint;
  readonly width: 32 | 128;
  readonly prefix: number;
  readonly hasZeros: boolean;
}

function parseBlock(block: string): Block | undefined {
  const [address = "", length = "", ...more] = block.split("/");
  const plain = address.replaceAll(/(^|\.)0+(?=\d)/gu, "$1");
  const isOld = /^\d+(?:\.\d+){3}$/u.test(address);
  const family = isIP(isOld ? plain : address);
  const width = family === 4 ? 32 : 128;
  const prefix = Number(length);
  if (family === 0 || more.length > 0 || !/^\d+$/u.test(length) || prefix > width) return undefined;
  const hasZeros = (isOld && plain !== address) || /^0\d/u.test(length);
  return { bits: family === 4 ? bitsOf4(plain) : bitsOf6(address), width, prefix, hasZeros };
}

function bitsOf4(address: string): bigint {
  return address.split(".").reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function bitsOf6(address: string): bigint {
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail] = text.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right].reduce((bits, part) => (bits << 16n) | BigInt(`0x${part}`), 0n);
}
