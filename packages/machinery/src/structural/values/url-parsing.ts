import { parseIpv6 } from "./addresses.ts";

/** The parts of a URL as Go's `net/url` tells them apart. */
export interface ParsedUrl {
  readonly scheme: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  /** With its escapes as they were written. */
  readonly path: string;
  readonly query: string;
}

/** Undefined for what Go cannot parse. With `asRequest`, only what can stand in an HTTP request: absolute, or an absolute path. */
export function parseUrl(text: string, asRequest: boolean): ParsedUrl | undefined {
  if (hasControl(text) || (asRequest && text === "")) return undefined;
  if (text === "*") return { scheme: "", host: "", hostname: "", port: "", path: "*", query: "" };
  const [beforeFragment = "", fragment = ""] = asRequest ? [text] : split(text, "#");
  const scheme = schemeOf(beforeFragment);
  if (scheme === undefined || !hasGoodEscapes(fragment)) return undefined;
  const afterScheme = scheme === "" ? beforeFragment : beforeFragment.slice(scheme.length + 1);
  const [rest, query] = split(afterScheme, "?");
  return parseRest(scheme.toLowerCase(), rest, query, asRequest);
}

function parseRest(scheme: string, rest: string, query: string, asRequest: boolean): ParsedUrl | undefined {
  const none = { scheme, host: "", hostname: "", port: "", query };
  if (!rest.startsWith("/")) {
    if (scheme !== "") return { ...none, path: "" };
    if (asRequest || colonInFirstSegment(rest) || !hasGoodEscapes(rest)) return undefined;
    return { ...none, path: rest };
  }
  const hasAuthority = (scheme !== "" || (!asRequest && !rest.startsWith("///"))) && rest.startsWith("//");
  if (!hasAuthority) return hasGoodEscapes(rest) ? { ...none, path: rest } : undefined;
  const slash = rest.indexOf("/", 2);
  const authority = slash === -1 ? rest.slice(2) : rest.slice(2, slash);
  const path = slash === -1 ? "" : rest.slice(slash);
  const host = hostOf(authority);
  if (host === undefined || !hasGoodEscapes(path)) return undefined;
  return { ...none, ...host, path };
}

/** Empty when there is none, undefined when what stands before the colon cannot be one. */
function schemeOf(text: string): string | undefined {
  const match = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text);
  if (match !== null) return match[1];
  return text.startsWith(":") ? undefined : "";
}

function hostOf(authority: string): { host: string; hostname: string; port: string } | undefined {
  const at = authority.lastIndexOf("@");
  if (at !== -1 && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(authority.slice(0, at))) return undefined;
  const host = authority.slice(at + 1);
  if (host.startsWith("[")) return bracketedHost(host);
  const colon = host.lastIndexOf(":");
  const port = colon === -1 ? "" : host.slice(colon + 1);
  if (colon !== -1 && (!/^\d*$/.test(port) || host.slice(0, colon).includes(":"))) return undefined;
  if (!hasGoodEscapes(host) || /[\s"<>\\^`{|}]/.test(host)) return undefined;
  return { host, hostname: colon === -1 ? host : host.slice(0, colon), port };
}

function bracketedHost(host: string): { host: string; hostname: string; port: string } | undefined {
  const match = /^\[([^\]]*)\](?::(\d*))?$/.exec(host);
  if (match === null) return undefined;
  const [, inner = "", port = ""] = match;
  const [address] = split(inner, "%25");
  return parseIpv6(address) === undefined ? undefined : { host, hostname: inner, port };
}

function colonInFirstSegment(path: string): boolean {
  return (path.split("/")[0] ?? "").includes(":");
}

function hasGoodEscapes(text: string): boolean {
  return !/%(?![0-9a-fA-F]{2})/.test(text);
}

function hasControl(text: string): boolean {
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function split(text: string, mark: string): [string, string] {
  const position = text.indexOf(mark);
  return position === -1 ? [text, ""] : [text.slice(0, position), text.slice(position + mark.length)];
}
