import { goQuote } from "../../../go-text/index.ts";
import { type Cidr, parseCidr, parseIp } from "../../values/addresses.ts";
import { CelError } from "../cel-error.ts";
import { CelOpaque, type CelValue } from "../cel-value.ts";
import { fn, method, type Overload } from "./overload.ts";

class CelIp extends CelOpaque {
  readonly typeName = "net.IP";
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    super();
    this.bytes = bytes;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelIp && addressText(other.bytes) === addressText(this.bytes);
  }
}

class CelCidr extends CelOpaque {
  readonly typeName = "net.CIDR";
  readonly cidr: Cidr;

  constructor(cidr: Cidr) {
    super();
    this.cidr = cidr;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelCidr && cidrText(other.cidr) === cidrText(this.cidr);
  }
}

export const addressOverloads: readonly Overload[] = [
  fn<[string]>("ip", "string", "net.IP", ([text]) => new CelIp(ipOf(text))),
  fn<[string]>("isIP", "string", "bool", ([text]) => ipProblem(text) === undefined),
  fn<[string]>("ip.isCanonical", "string", "bool", ([text]) => addressText(ipOf(text)) === text),
  fn<[CelIp]>("string", "net.IP", "string", ([{ bytes }]) => addressText(bytes)),
  method<[CelIp]>("family", "net.IP", "int", ([{ bytes }]) => (bytes.length === 4 ? 4n : 6n)),
  method<[CelIp]>("isUnspecified", "net.IP", "bool", ([{ bytes }]) => bytes.every((byte) => byte === 0)),
  method<[CelIp]>("isLoopback", "net.IP", "bool", ([{ bytes }]) => isLoopback(bytes)),
  method<[CelIp]>("isLinkLocalMulticast", "net.IP", "bool", ([{ bytes }]) => isLinkLocalMulticast(bytes)),
  method<[CelIp]>("isLinkLocalUnicast", "net.IP", "bool", ([{ bytes }]) => isLinkLocalUnicast(bytes)),
  method<[CelIp]>("isGlobalUnicast", "net.IP", "bool", ([{ bytes }]) => isGlobalUnicast(bytes)),
  fn<[string]>("cidr", "string", "net.CIDR", ([text]) => new CelCidr(cidrOf(text))),
  fn<[string]>("isCIDR", "string", "bool", ([text]) => cidrProblem(text) === undefined),
  fn<[CelCidr]>("string", "net.CIDR", "string", ([{ cidr }]) => cidrText(cidr)),
  method<[CelCidr, string]>("containsIP", "net.CIDR, string", "bool", ([{ cidr }, text]) => contains(cidr, ipOf(text))),
  method<[CelCidr, CelIp]>("containsIP", "net.CIDR, net.IP", "bool", ([{ cidr }, { bytes }]) => contains(cidr, bytes)),
  method<[CelCidr, string]>("containsCIDR", "net.CIDR, string", "bool", ([{ cidr }, text]) =>
    containsCidr(cidr, cidrOf(text)),
  ),
  method<[CelCidr, CelCidr]>("containsCIDR", "net.CIDR, net.CIDR", "bool", ([{ cidr }, other]) =>
    containsCidr(cidr, other.cidr),
  ),
  method<[CelCidr]>("ip", "net.CIDR", "net.IP", ([{ cidr }]) => new CelIp(cidr.address)),
  method<[CelCidr]>("masked", "net.CIDR", "net.CIDR", ([{ cidr }]) => new CelCidr(masked(cidr))),
  method<[CelCidr]>("prefixLength", "net.CIDR", "int", ([{ cidr }]) => BigInt(cidr.bits)),
];

function ipProblem(text: string): string | undefined {
  const zone = text.indexOf("%");
  const bytes = parseIp(zone === -1 ? text : text.slice(0, zone));
  if (bytes === undefined)
    return `IP Address ${goQuote(text)} parse error during conversion from string: ParseAddr(${goQuote(text)}): ${addrProblem(text)}`;
  if (zone !== -1) return `IP address ${goQuote(text)} with zone value is not allowed`;
  return isMapped(bytes) ? `IPv4-mapped IPv6 address ${goQuote(text)} is not allowed` : undefined;
}

/** Go tells many reasons; this is the one for texts that are nothing like an address. */
function addrProblem(text: string): string {
  return /[.:]/.test(text) ? "unexpected character" : "unable to parse IP";
}

function ipOf(text: string): Uint8Array {
  const problem = ipProblem(text);
  if (problem !== undefined) throw new CelError(problem);
  return parseIp(text) ?? new Uint8Array(4);
}

function cidrProblem(text: string): string | undefined {
  const parsed = parseCidr(text);
  const bits = text.split("/")[1] ?? "";
  if (parsed === undefined || (bits.length > 1 && bits.startsWith("0")))
    return `network address parse error during conversion from string: netip.ParsePrefix(${goQuote(text)}): ${text.includes("/") ? "bad bits after slash" : "no '/'"}`;
  if (isMapped(parsed.address)) return `IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`;
  return undefined;
}

function cidrOf(text: string): Cidr {
  const problem = cidrProblem(text);
  const parsed = parseCidr(text);
  if (problem !== undefined || parsed === undefined) throw new CelError(problem ?? "network address parse error");
  return parsed;
}

function isMapped(bytes: Uint8Array): boolean {
  return (
    bytes.length === 16 && bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
  );
}

function isLoopback(bytes: Uint8Array): boolean {
  if (bytes.length === 4) return bytes[0] === 127;
  return bytes.every((byte, index) => byte === (index === 15 ? 1 : 0));
}

function isLinkLocalMulticast(bytes: Uint8Array): boolean {
  if (bytes.length === 4) return bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0;
  return bytes[0] === 0xff && ((bytes[1] ?? 0) & 0x0f) === 0x02;
}

function isLinkLocalUnicast(bytes: Uint8Array): boolean {
  if (bytes.length === 4) return bytes[0] === 169 && bytes[1] === 254;
  return bytes[0] === 0xfe && ((bytes[1] ?? 0) & 0xc0) === 0x80;
}

function isGlobalUnicast(bytes: Uint8Array): boolean {
  const isZero = bytes.every((byte) => byte === 0);
  const isBroadcast = bytes.length === 4 && bytes.every((byte) => byte === 255);
  const isMulticast = bytes.length === 4 ? ((bytes[0] ?? 0) & 0xf0) === 0xe0 : bytes[0] === 0xff;
  return !isZero && !isBroadcast && !isMulticast && !isLoopback(bytes) && !isLinkLocalUnicast(bytes);
}

function masked({ address, bits }: Cidr): Cidr {
  const bytes = address.map((byte, index) => {
    const kept = Math.min(Math.max(bits - index * 8, 0), 8);
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return { address: bytes, bits };
}

function contains(cidr: Cidr, bytes: Uint8Array): boolean {
  if (cidr.address.length !== bytes.length) return false;
  return addressText(masked(cidr).address) === addressText(masked({ address: bytes, bits: cidr.bits }).address);
}

function containsCidr(cidr: Cidr, other: Cidr): boolean {
  return other.bits >= cidr.bits && contains(cidr, other.address);
}

function cidrText({ address, bits }: Cidr): string {
  return `${addressText(address)}/${bits}`;
}

/** The canonical form: of the longest run of zeros, `::` remains. */
function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join(".");
  const words = Array.from({ length: 8 }, (_, index) => ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0));
  const text = words.map((word) => word.toString(16)).join(":");
  const runs = [...text.matchAll(/(?<![0-9a-f])0(?::0)+(?![0-9a-f])/g)];
  const [longest] = runs.toSorted((a, b) => b[0].length - a[0].length);
  if (longest === undefined) return text;
  const before = text.slice(0, longest.index).replace(/:$/, "");
  const after = text.slice(longest.index + longest[0].length).replace(/^:/, "");
  return `${before}::${after}`;
}
