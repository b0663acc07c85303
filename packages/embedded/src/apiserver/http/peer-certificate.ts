import type { X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";

/** What the other side of a connection has shown of itself. */
export interface PeerCertificate {
  readonly certificate: X509Certificate | undefined;
  /** Whether it showed one that no authority of clients has signed, or that is not valid now. */
  readonly isWrong: boolean;
}

const none: PeerCertificate = { certificate: undefined, isWrong: false };

/** A connection keeps the certificate that it began with, so it is looked at once. */
const known = new WeakMap<object, PeerCertificate>();

export function peerCertificate(connection: object, socket: TLSSocket): PeerCertificate {
  const seen = known.get(connection);
  if (seen !== undefined) return seen;
  const peer = shownBy(socket);
  known.set(connection, peer);
  return peer;
}

function shownBy(socket: TLSSocket): PeerCertificate {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return none;
  return socket.authorized ? { certificate, isWrong: false } : { certificate: undefined, isWrong: true };
}
