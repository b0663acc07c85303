import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import type { TLSSocket } from "node:tls";
import { type PeerCertificate, peerCertificate } from "./peer-certificate.ts";

export type Incoming = IncomingMessage | Http2ServerRequest;

/** What a request says before its body. */
export class RequestHead {
  readonly method: string;
  readonly url: URL;
  readonly incoming: Incoming;

  constructor(incoming: Incoming, url: URL) {
    this.incoming = incoming;
    this.method = incoming.method ?? "GET";
    this.url = url;
  }

  /** The name in small letters. The first one, where a header came several times. */
  header(name: string): string | undefined {
    const value = this.incoming.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  /** All headers whose names begin so, with every value that each came with; names in small letters. */
  headersWith(prefix: string): Record<string, string[]> {
    const found: Record<string, string[]> = {};
    const { rawHeaders } = this.incoming;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = (rawHeaders[index] ?? "").toLowerCase();
      if (name.startsWith(prefix)) (found[name] ??= []).push(rawHeaders[index + 1] ?? "");
    }
    return found;
  }

  get peer(): PeerCertificate {
    const { incoming } = this;
    const session = "stream" in incoming ? incoming.stream.session : undefined;
    return peerCertificate(session ?? incoming.socket, incoming.socket as TLSSocket);
  }

  /** The host that the client has named. */
  get host(): string {
    return this.header(":authority") ?? this.header("host") ?? "";
  }
}
