import { readFileSync } from "node:fs";
import {
  type ConnectionConfig,
  createClient,
  createTransport,
  type KubeClient,
  type PemSource,
  type Transport,
} from "@stowage/kube";
import type { Clock, Logger } from "@stowage/machinery";
import type { ApiServer, ClientName } from "../apiserver/index.ts";

export interface MemberDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The server may be this very process: on a busy machine neither end comes to it, and to begin anew would only make more work. */
const CONNECT_MS = 120_000;
/** Each has a connection, which is kept for a while: a burst of Pods would need more memory for those than for all else. */
const MAX_REQUESTS = 16;

/** To a server of this process, as somebody whom it makes a certificate for. */
export function connectionTo(server: ApiServer, client: ClientName): ConnectionConfig {
  const { certificate, key } = server.issue(client);
  return {
    server: server.url,
    namespace: "default",
    origin: "the embedded cluster",
    tls: { certificateAuthority: inline(server.authority) },
    credentials: { clientCertificate: { cert: inline(certificate), key: inline(key) } },
  };
}

/** The same as nobody: for whoever puts a token on each request. */
export function withoutCredentials(connection: ConnectionConfig): ConnectionConfig {
  return { ...connection, credentials: {} };
}

export function openTransport(connection: ConnectionConfig, userAgent: string): Transport & Disposable {
  const transport = createTransport(connection, { userAgent, connectTimeoutMs: CONNECT_MS, maxRequests: MAX_REQUESTS });
  return Object.assign(transport, { [Symbol.dispose]: () => transport.close() });
}

export function clientBy(transport: Transport, { clock, logger }: MemberDeps): KubeClient {
  return createClient({ transport, clock, logger });
}

/** The authority that it trusts, as PEM; undefined when it trusts those of the machine. */
export function authorityOf({ tls: { certificateAuthority: source } }: ConnectionConfig): string | undefined {
  return source && pemText(source);
}

export function pemText(source: PemSource): string {
  return source.kind === "inline" ? source.pem : readFileSync(source.path, "utf8");
}

function inline(pem: string): PemSource {
  return { kind: "inline", pem };
}
