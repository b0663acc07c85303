import { type Clock, type Logger, silentLogger, systemClock } from "@stowage/machinery";
import type { KeyPair } from "@stowage/machinery/certificates";
import { runningWork } from "../../running-work.ts";
import { startRoleAggregator } from "../access/index.ts";
import { DefinitionController } from "../definitions/index.ts";
import { HttpServer } from "../http/index.ts";
import { createStore, type Store } from "../store/index.ts";
import { agentPlace, type NodeAgents, RemoteAgents } from "../subresources/index.ts";
import { DataFolder } from "./data-folder.ts";
import { createFirstObjects, createOwnService } from "./first-objects.ts";
import {
  administrator,
  agentClient,
  type ClientName,
  clientCertificate,
  newIdentity,
  servingCertificate,
} from "./identity.ts";
import { kubeconfigText } from "./kubeconfig.ts";
import { RequestHandler } from "./request-handler.ts";
import { assembledParts } from "./server-parts.ts";
import { openState } from "./state-files.ts";

export interface ApiServerOptions {
  /** On memory alone when left out. */
  readonly dataDir?: string;
  readonly host?: string;
  /** Any free one when left out. */
  readonly port?: number;
  /** Whether those who say nothing are let in as nobody; yes when left out. */
  readonly allowsAnonymous?: boolean;
  /** Those that run Pods, for logs and connections into them; each is asked at the address of its Node when left out. */
  readonly agents?: NodeAgents;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** A server that runs. */
export interface ApiServer extends AsyncDisposable {
  readonly url: string;
  /** PEM; what clients trust. */
  readonly authority: string;
  /** PEM, private: whoever has it can act as any service account. Controllers sign with it the tokens that are kept in Secrets. */
  readonly accountTokenKey: string;
  /** Of whoever may do everything. Undefined without a data directory. */
  readonly kubeconfigPath: string | undefined;
  /** For a client of that name, as text with its key in it. */
  kubeconfig(client?: ClientName): string;
  /** A certificate for a client of that name. */
  issue(client: ClientName): KeyPair;
  /** Settles when nothing of it is left; what was written stays in the data directory. */
  close(): Promise<void>;
}

export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const { dataDir, clock = systemClock, logger = silentLogger, host = "127.0.0.1", port = 0 } = options;
  await using undo = new AsyncDisposableStack();
  const folder = dataDir === undefined ? undefined : undo.use(new DataFolder(dataDir));
  const identity = folder?.identity(clock.nowMs()) ?? newIdentity(clock.nowMs());
  const store = undo.use(folder === undefined ? createStore() : openState(folder, clock.nowMs()));
  const { tokenKey } = identity;
  const { allowsAnonymous = true } = options;
  const issue = (client: ClientName) => clientCertificate(identity, client, clock.nowMs());
  const agents = options.agents ?? remoteAgents(store, { ca: identity.authority.certificate, issue });
  const closing = new AbortController();
  const known = { tokenKey, closing: closing.signal, staticTokens: new Map(), allowsAnonymous, agents };
  const parts = undo.use(assembledParts({ store, clock, logger, ...known }));
  // Before anything else is written: what is defined already is served from the first moment on.
  const definitions = undo.use(new DefinitionController(parts.writes));
  await createFirstObjects(parts);
  undo.use(runningWork((signal) => startRoleAggregator(parts, signal)));
  undo.use(runningWork((signal) => definitions.run(signal)));
  const serving = servingCertificate(identity, host, clock.nowMs());
  const handler = new RequestHandler(parts);
  const server = new HttpServer({
    host,
    port,
    ...serving,
    clientAuthorities: identity.authority.certificate,
    onRequest: (exchange) => handler.handle(exchange),
    onUpgrade: (upgrade) => handler.connect(upgrade),
  });
  const listeningPort = await server.listen();
  undo.defer(() => server.close());
  await createOwnService(parts, listeningPort);
  const url = `https://${host.includes(":") ? `[${host}]` : host}:${listeningPort}`;
  const { certificate: authority } = identity.authority;
  const kubeconfig = (client = administrator) =>
    kubeconfigText({ server: url, authority, clients: [{ user: client.user, client: issue(client) }] });
  folder?.writeKubeconfig(kubeconfig());
  const running = undo.move();
  const close = () => {
    closing.abort();
    return running.disposeAsync();
  };
  const { kubeconfigPath } = folder ?? {};
  const secrets = { accountTokenKey: tokenKey, kubeconfig, issue };
  return { url, authority, kubeconfigPath, ...secrets, close, [Symbol.asyncDispose]: close };
}

interface Issuing {
  /** PEM. */
  readonly ca: string;
  issue(client: ClientName): KeyPair;
}

function remoteAgents(store: Store, { ca, issue }: Issuing): NodeAgents {
  const { certificate: cert, key } = issue(agentClient);
  return new RemoteAgents({ place: (node) => agentPlace(store, node), tls: { ca, cert, key } });
}
