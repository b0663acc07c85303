import type { AuthenticationHeaders } from "./authenticator.ts";
import type { ImpersonationConfig } from "./connection-config.ts";

/** Names of extra fields go into header names, where few characters are allowed; the server undoes this escaping. */
const legalInHeaderName = /[a-z0-9!#$&'*+.^_`|~-]/;

export function impersonationHeaders(config: ImpersonationConfig | undefined): AuthenticationHeaders {
  if (config === undefined) {
    return {};
  }
  const headers: Record<string, string | readonly string[]> = { "impersonate-user": asHeaderBytes(config.user) };
  if (config.uid !== undefined) {
    headers["impersonate-uid"] = asHeaderBytes(config.uid);
  }
  if (config.groups.length > 0) {
    headers["impersonate-group"] = config.groups.map(asHeaderBytes);
  }
  for (const [name, values] of Object.entries(config.extra)) {
    headers[`impersonate-extra-${escapeHeaderName(name)}`] = values.map(asHeaderBytes);
  }
  return headers;
}

/** Node writes header values as Latin-1; the API server reads them as UTF-8. */
function asHeaderBytes(value: string): string {
  return Buffer.from(value, "utf8").toString("latin1");
}

function escapeHeaderName(name: string): string {
  return [...Buffer.from(name.toLowerCase(), "utf8")]
    .map((byte) => String.fromCharCode(byte))
    .map((char) =>
      legalInHeaderName.test(char) ? char : `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
    )
    .join("");
}
