import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createClient, createTransport, type KubeClient, loadKubeconfig } from "@stowage/kube";
import { type Clock, type Container, type Logger, StowageError, silentLogger, systemClock } from "@stowage/machinery";
import { type ApiServer, startApiServer } from "../apiserver/index.ts";
import { runControllers } from "../controllers/index.ts";
import {
  type ImageProgram,
  LocalAgents,
  type NodeAgentDeps,
  readAbilities,
  runNodeAgent,
  tellAbilities,
} from "../node/index.ts";
import { runningWork } from "../running-work.ts";
import { readyNodeFolder } from "./node-folder.ts";

export interface EmbeddedClusterOptions {
  /** Everything that is kept is in it. */
  readonly folder: string;
  /** How many; one when left out. */
  readonly nodes?: number;
  /** Of the API server; any free one when left out. */
  readonly port?: number;
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

/** A whole Kubernetes. */
export interface EmbeddedCluster extends AsyncDisposable {
  readonly server: ApiServer;
  readonly kubeconfigPath: string;
  /** As an administrator. */
  readonly client: KubeClient;
}

/** The server is this very process: on a busy machine neither end comes to it, and to begin anew would only make more work. */
const CONNECT_MS = 120_000;

/** Starts API server, controllers and nodes in this process. What runs in Pods runs on when they stop, and is found again. */
export async function startEmbeddedCluster(options: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
  const { folder, clock = systemClock, logger = silentLogger, port = 0, nodes = 1 } = options;
  await using stack = new AsyncDisposableStack();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const agents = new LocalAgents();
  const abilities = await readAbilities();
  tellAbilities(abilities, logger);
  const server = stack.use(await startApiServer({ dataDir: join(folder, "apiserver"), port, agents, clock, logger }));
  const path = server.kubeconfigPath ?? "";
  const connect = async (userAgent: string) => {
    const config = await loadKubeconfig({ path, env: {}, homeDir: "/" });
    const opened = createTransport(config, { userAgent, connectTimeoutMs: CONNECT_MS });
    const transport = stack.adopt(opened, () => opened.close());
    return createClient({ transport, clock, logger });
  };
  const client = await connect("stowage");
  const manager = {
    client: await connect("kube-controller-manager"),
    schedulerClient: await connect("kube-scheduler"),
    clock,
    logger,
    rootCertificate: server.authority,
    accountTokenKey: server.accountTokenKey,
  };
  stack.use(runningWork((signal) => told(runControllers(manager, signal), options)));
  const { hostname, port: apiPort } = new URL(server.url);
  const serviceVariables = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: apiPort };
  for (let index = 1; index <= nodes; index++) {
    const name = `node-${index}`;
    const agent = {
      name,
      addresses: [`127.0.0.${index}`],
      port: 10_250,
      version: "v1.36.3",
      labels: options.nodeLabels ?? {},
      providerId: options.providerId?.(name) ?? `embedded://${name}`,
    };
    const { emptyHostFolders = [] } = options;
    const wishes = { name, kind: abilities.kind, emptyHostFolders };
    const place = { ...(await readyNodeFolder(folder, wishes)), agent, serviceVariables };
    const own = { client: await connect("kubelet"), clock, logger, agents, abilities, image: imagesOf(options, name) };
    stack.use(runningWork((signal) => told(runNodeAgent({ ...own, ...place }, signal), options)));
  }
  const running = stack.move();
  return { server, kubeconfigPath: path, client, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function told(work: Promise<void>, { onFailed }: EmbeddedClusterOptions): Promise<void> {
  try {
    await work;
  } catch (error) {
    onFailed?.(error);
    throw error;
  }
}

const nothing: ImageProgram = { command: [], args: [], env: {} };

function imagesOf({ image }: EmbeddedClusterOptions, nodeName: string): NodeAgentDeps["image"] {
  return (container, podIPs) => {
    const known = image?.(container, podIPs, nodeName);
    if (known !== undefined) return known;
    if ((container.command ?? []).length > 0) return nothing;
    const why = `no program is known for image "${container.image ?? ""}", and the container has no command of its own`;
    throw new StowageError("IMAGE_UNKNOWN", why);
  };
}
