import { type ConnectionConfig, loadKubeconfig } from "@stowage/kube";
import { type Clock, type Container, type Logger, silentLogger, systemClock } from "@stowage/machinery";
import { type ImageProgram, LocalAgents, readAbilities, tellAbilities } from "../node/index.ts";
import { runningWork } from "../running-work.ts";
import { runNodeMember } from "./node-member.ts";

export interface ClusterNodesOptions {
  /** Everything that is kept is in it. */
  readonly folder: string;
  /** How many; one when left out. */
  readonly nodes?: number;
  /** Of the machine, for the node of that number, from 1; `127.0.0.N` when left out. */
  addressOf?(index: number): string;
  /** Programs in place of images. Those that it does not know run what their container says. */
  image?(container: Container, podIPs: readonly string[], nodeName: string): ImageProgram | undefined;
  /** What a cloud would call the node; this cluster's own name for it when left out. */
  providerId?(nodeName: string): string;
  /** What somebody other than a node says of all of them. */
  readonly nodeLabels?: Readonly<Record<string, string>>;
  /** Folders of the machine that Pods expect, and that not every machine has: each node has empty ones of its own in their place. */
  readonly emptyHostFolders?: readonly string[];
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Told when a part of it ends that should not: the rest goes on, and is worth little. */
  onFailed?(error: unknown): void;
}

/** The API server that nodes are of. */
export interface NodesServer {
  readonly url: string;
  readonly kubeconfigPath: string;
  /** As the node itself; whoever the kubeconfig is of when left out. */
  connectionOf?(nodeName: string): ConnectionConfig;
  /** Where it finds nodes of this very process; another kind of server does not, and asks at a port. */
  readonly agents?: LocalAgents;
  portOf?(nodeName: string): number | undefined;
}

export interface NodePlace {
  readonly name: string;
  readonly address: string;
}

/** What nodes are called, and where they are. */
export function nodePlaces({ nodes = 1, addressOf }: Pick<ClusterNodesOptions, "nodes" | "addressOf">): NodePlace[] {
  const numbers = Array.from({ length: nodes }, (_, position) => position + 1);
  return numbers.map((index) => ({ name: `node-${index}`, address: addressOf?.(index) ?? `127.0.0.${index}` }));
}

/** Starts nodes in this process, of whatever control plane. What runs in Pods runs on when they stop, and is found again. */
export async function startClusterNodes(options: ClusterNodesOptions, server: NodesServer): Promise<AsyncDisposable> {
  const { folder, clock = systemClock, logger = silentLogger } = options;
  const { kubeconfigPath: path, agents = new LocalAgents() } = server;
  await using stack = new AsyncDisposableStack();
  const abilities = await readAbilities();
  tellAbilities(abilities, logger);
  const shared = { folder, clock, logger, agents, abilities, apiServerUrl: server.url };
  for (const { name, address } of nodePlaces(options)) {
    const facts = nodeFacts(options, name);
    const connection = server.connectionOf?.(name) ?? (await loadKubeconfig({ path, env: {}, homeDir: "/" }));
    const servedPort = server.portOf?.(name);
    const served = servedPort === undefined ? {} : { servedPort };
    const member = { ...shared, ...facts, ...served, connection, address };
    stack.use(runningWork((signal) => toldOfEnd(runNodeMember(member, signal), options)));
  }
  return stack.move();
}

function nodeFacts(options: ClusterNodesOptions, name: string) {
  const { nodeLabels: labels = {}, emptyHostFolders = [] } = options;
  const providerId = options.providerId?.(name);
  const image = (container: Container, podIPs: readonly string[]) => options.image?.(container, podIPs, name);
  return { name, labels, emptyHostFolders, image, ...(providerId !== undefined && { providerId }) };
}

/** A part that ends by itself is told of at once. */
export async function toldOfEnd(
  work: Promise<void>,
  { onFailed }: Pick<ClusterNodesOptions, "onFailed">,
): Promise<void> {
  try {
    await work;
  } catch (error) {
    onFailed?.(error);
    throw error;
  }
}
