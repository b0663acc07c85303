import { AuthoritySource } from "../config/authority-source.ts";
import type { Authenticator, ClientCertificate, ConnectionConfig } from "../config/index.ts";
import type { RotatingFileDeps } from "../config/rotating-file.ts";
import type { TlsMaterial } from "./connect.ts";
import { ServerAgent } from "./server-agent.ts";
import { trustContext } from "./trust.ts";

export interface ConnectionPoolDeps {
  readonly authenticator: Authenticator;
  readonly files: RotatingFileDeps;
  readonly connectTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

/** The agent for the certificates of now. When they change, new connections use the new ones and the old ones run out. */
export class ConnectionPool {
  readonly #config: ConnectionConfig;
  readonly #deps: ConnectionPoolDeps;
  readonly #authority: AuthoritySource | undefined;
  readonly #isSecure: boolean;
  #agent: ServerAgent | undefined;
  readonly #retired = new Set<ServerAgent>();
  #client: ClientCertificate | undefined;
  #authorityPem: string | undefined;

  constructor(config: ConnectionConfig, deps: ConnectionPoolDeps) {
    this.#config = config;
    this.#deps = deps;
    this.#isSecure = config.server.startsWith("https:");
    this.#authority =
      config.tls.certificateAuthority === undefined
        ? undefined
        : new AuthoritySource(config.tls.certificateAuthority, deps.files);
  }

  async agent(): Promise<ServerAgent> {
    const [client, authorityPem] = this.#isSecure
      ? await Promise.all([this.#deps.authenticator.clientCertificate(), this.#authority?.read()])
      : [];
    if (this.#agent !== undefined && client === this.#client && authorityPem === this.#authorityPem) {
      return this.#agent;
    }
    const agent = this.#createAgent(client, authorityPem);
    this.#retire();
    this.#agent = agent;
    this.#client = client;
    this.#authorityPem = authorityPem;
    return agent;
  }

  /** The server's certificate was not trusted: perhaps it was renewed, and the file of its authority with it. */
  invalidateAuthority(): void {
    this.#authority?.invalidate();
  }

  destroy(): void {
    this.#agent?.destroy();
    for (const agent of this.#retired) {
      agent.destroy();
    }
  }

  #createAgent(client: ClientCertificate | undefined, authorityPem: string | undefined): ServerAgent {
    const { server, proxy, tls } = this.#config;
    const material = (): TlsMaterial => ({
      context: trustContext(authorityPem, client),
      verify: tls.insecureSkipVerify !== true,
      serverName: tls.serverName,
    });
    return new ServerAgent({
      route: { server: new URL(server), proxy, tls: this.#isSecure ? material() : undefined },
      connectTimeoutMs: this.#deps.connectTimeoutMs,
      idleTimeoutMs: this.#deps.idleTimeoutMs,
    });
  }

  #retire(): void {
    if (this.#agent === undefined) {
      return;
    }
    this.#agent.retire();
    this.#retired.add(this.#agent);
    for (const agent of this.#retired) {
      if (agent.isUnused()) {
        this.#retired.delete(agent);
      }
    }
  }
}
