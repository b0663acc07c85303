import type { ConnectionConfig } from "@stowage/kube";
import { type Container, hasErrorCode, StowageError } from "@stowage/machinery";
import {
  type Abilities,
  AgentServer,
  type ImageProgram,
  LocalAgents,
  type NodeAgentDeps,
  readAbilities,
  runNodeAgent,
} from "../node/index.ts";
import { authorityOf, clientBy, type MemberDeps, openTransport, pemText } from "./member-connection.ts";
import { readyNodeFolder } from "./node-folder.ts";

export interface NodeMemberDeps extends MemberDeps {
  readonly name: string;
  /** As `system:node:NAME`, by a certificate. */
  readonly connection: ConnectionConfig;
  /** Where Pods find the API server; where the connection leads when left out. */
  readonly apiServerUrl?: string;
  /** Of the whole cluster on this machine; the node has a place of its own in it. */
  readonly folder: string;
  /** Of the machine, which its Pods have too. */
  readonly address: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** What a cloud would call the node; this cluster's own name for it when left out. */
  readonly providerId?: string;
  /** Folders of the machine that Pods expect, and that not every machine has. */
  readonly emptyHostFolders?: readonly string[];
  /** Programs in place of images. Those that it does not know run what their container says. */
  image?(container: Container, podIPs: readonly string[]): ImageProgram | undefined;
  /** Found out when left out. */
  readonly abilities?: Abilities;
  /** Where an API server of this process finds the node. When left out, it is served to one in another process. */
  readonly agents?: LocalAgents;
  /** Told when an API server in another process can ask. */
  onServing?(port: number): void;
  /** Where somebody else answers for the node, when the agents are in this process and the API server is not. */
  readonly servedPort?: number;
}

/** What the API server is told where nobody listens, since it is in the same process. */
const usualPort = 10_250;

/** One node of a cluster, as itself. Runs until the signal is aborted; what runs in its Pods runs on. */
export async function runNodeMember(deps: NodeMemberDeps, signal: AbortSignal): Promise<void> {
  const { name, connection, clock, logger, emptyHostFolders = [] } = deps;
  const abilities = deps.abilities ?? (await readAbilities());
  const { agents = new LocalAgents() } = deps;
  await using server = deps.agents === undefined ? agentServer(deps, agents) : undefined;
  const port = await server?.listen();
  if (port !== undefined) deps.onServing?.(port);
  const place = await readyNodeFolder(deps.folder, { name, kind: abilities.kind, emptyHostFolders });
  const agent = {
    name,
    addresses: [deps.address],
    port: port ?? deps.servedPort ?? usualPort,
    version: "v1.36.3",
    labels: deps.labels ?? {},
    providerId: deps.providerId ?? `embedded://${name}`,
  };
  const { hostname, port: apiPort } = new URL(deps.apiServerUrl ?? connection.server);
  const serviceVariables = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: apiPort };
  using transport = openTransport(connection, "kubelet");
  const client = clientBy(transport, deps);
  const own = { client, clock, logger, agents, abilities, image: imagesOf(deps), agent, serviceVariables };
  for (let isOver = false; !isOver; ) isOver = await tryToRun(deps, { ...own, ...place }, signal);
}

/** False when it has to be tried again: an agent may be there before its API server, or while that one is started again. */
async function tryToRun(
  { clock, logger }: NodeMemberDeps,
  agent: NodeAgentDeps,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await runNodeAgent(agent, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return true;
    if (!passingCodes.some((code) => hasErrorCode(error, code))) throw error;
    logger.warn({ error }, "the API server was not reached; the node tries again");
    await clock.sleep(RETRY_MS, signal).catch(() => {});
    return signal.aborted;
  }
}

const RETRY_MS = 1_000;
const passingCodes = [
  "CONNECTION_REFUSED",
  "CONNECTION_RESET",
  "CONNECTION_TIMEOUT",
  "RESPONSE_TIMEOUT",
  "RESPONSE_CUT_OFF",
] as const;

/** By the certificate that it is known by: the same authority has signed the API server's. */
function agentServer({ name, address: host, connection }: NodeMemberDeps, agents: LocalAgents): AgentServer {
  const { clientCertificate } = connection.credentials;
  const ca = authorityOf(connection);
  if (clientCertificate === undefined || ca === undefined) {
    throw new StowageError("NODE_IDENTITY_INCOMPLETE", `${connection.origin} has no certificate for node ${name}`);
  }
  const tls = { ca, cert: pemText(clientCertificate.cert), key: pemText(clientCertificate.key) };
  return new AgentServer({ nodeName: name, host, port: 0, tls, agents });
}

const nothing: ImageProgram = { command: [], args: [], env: {} };

function imagesOf({ image }: NodeMemberDeps): NodeAgentDeps["image"] {
  return (container, podIPs) => {
    const known = image?.(container, podIPs);
    if (known !== undefined) return known;
    if ((container.command ?? []).length > 0) return nothing;
    const why = `no program is known for image "${container.image ?? ""}", and the container has no command of its own`;
    throw new StowageError("IMAGE_UNKNOWN", why);
  };
}
