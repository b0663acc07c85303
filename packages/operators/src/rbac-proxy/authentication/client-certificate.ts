import type { PeerCertificate, TLSSocket } from "node:tls";
import type { UserInfo } from "@stowage/machinery";

/** Those who are known at all, by certificate or by token. */
const AUTHENTICATED = "system:authenticated";

type Connection = Pick<TLSSocket, "authorized" | "getPeerCertificate">;

/**
 * The user that a client's certificate names: its common name, with its organizations as groups. Undefined without a certificate that
 * one of the trusted authorities has issued and that is still valid; a connection may outlive it.
 */
export function certificateUser(connection: Partial<Connection>, nowMs: number): UserInfo | undefined {
  if (connection.authorized !== true) return undefined;
  const certificate = connection.getPeerCertificate?.();
  if (certificate === undefined || !isValidAt(certificate, nowMs)) return undefined;
  const username = valuesOf(certificate.subject.CN).at(-1);
  if (!username) return undefined;
  return { username, groups: [...new Set([...valuesOf(certificate.subject.O), AUTHENTICATED])] };
}

function isValidAt({ valid_from: from, valid_to: to }: PeerCertificate, nowMs: number): boolean {
  return Date.parse(from) <= nowMs && nowMs <= Date.parse(to);
}

/** What occurs several times in a name comes as a list. */
function valuesOf(value: string | string[] | undefined): string[] {
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : value;
}
