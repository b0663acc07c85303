/** Names in small letters; a header that occurs several times has a list. */
export type Headers = Record<string, string | string[]>;

/** For one connection only (RFC 9110, 7.6.1, and those before it). */
const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Of `name, value, name, value, …`, all that is meant for whoever is behind the proxy. */
export function endToEndHeaders(raw: readonly string[]): Headers {
  const all: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) all.push([(raw[at] ?? "").toLowerCase(), raw[at + 1] ?? ""]);
  const named = all
    .filter(([name]) => name === "connection")
    .flatMap(([, value]) => value.toLowerCase().split(/\s*,\s*/));
  const headers: Headers = Object.create(null) as Headers;
  for (const [name, value] of all) {
    if (hopByHop.has(name) || named.includes(name.trim()) || name.startsWith(":")) continue;
    const before = headers[name];
    headers[name] = before === undefined ? value : [before, value].flat();
  }
  return headers;
}

export interface Forwarding {
  readonly raw: readonly string[];
  /** Of who is asking, if it is known. */
  readonly clientAddress?: string;
  readonly host?: string;
  /** Headers that tell who is asking: never those of the client. Empty values where nobody was asked. */
  readonly identity: Readonly<Record<string, string | undefined>>;
}

/** What the upstream gets. The client's credentials are for the proxy alone: the upstream could act with them. */
export function upstreamHeaders({ raw, clientAddress, host, identity }: Forwarding): Headers {
  const headers = endToEndHeaders(raw);
  delete headers.authorization;
  for (const [name, value] of Object.entries(identity)) {
    delete headers[name.toLowerCase()];
    if (value !== undefined) headers[name.toLowerCase()] = value;
  }
  if (clientAddress !== undefined) {
    // An IPv4 address seen through a socket of IPv6.
    const address = clientAddress.replace(/^::ffff:(?=[\d.]+$)/i, "");
    headers["x-forwarded-for"] = [headers["x-forwarded-for"] ?? [], address].flat().join(", ");
  }
  if (host !== undefined) headers.host = host;
  return headers;
}
