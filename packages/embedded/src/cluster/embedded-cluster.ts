import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { KubeClient } from "@stowage/kube";
import { silentLogger, systemClock } from "@stowage/machinery";
import {
  type ApiServer,
  administrator,
  controllerManager,
  nodeClient,
  scheduler,
  startApiServer,
} from "../apiserver/index.ts";
import { LocalAgents } from "../node/index.ts";
import { runningWork } from "../running-work.ts";
import { type ClusterNodesOptions, startClusterNodes, toldOfEnd } from "./cluster-nodes.ts";
import { runControllersMember } from "./controllers-member.ts";
import { clientBy, connectionTo, openTransport } from "./member-connection.ts";

export interface EmbeddedClusterOptions extends ClusterNodesOptions {
  /** Of the API server; any free one when left out. */
  readonly port?: number;
}

/** A whole Kubernetes. */
export interface EmbeddedCluster extends AsyncDisposable {
  readonly server: ApiServer;
  readonly kubeconfigPath: string;
  /** As an administrator. */
  readonly client: KubeClient;
}

/** Starts API server, controllers and nodes in this process. What runs in Pods runs on when they stop, and is found again. */
export async function startEmbeddedCluster(options: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
  const { folder, clock = systemClock, logger = silentLogger, port = 0 } = options;
  await using stack = new AsyncDisposableStack();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const agents = new LocalAgents();
  const server = stack.use(await startApiServer({ dataDir: join(folder, "apiserver"), port, agents, clock, logger }));
  const kubeconfigPath = server.kubeconfigPath ?? "";
  const client = clientBy(stack.use(openTransport(connectionTo(server, administrator), "stowage")), { clock, logger });
  const controllers = {
    manager: connectionTo(server, controllerManager),
    scheduler: connectionTo(server, scheduler),
    accountTokenKey: server.accountTokenKey,
    clock,
    logger,
  };
  stack.use(runningWork((signal) => toldOfEnd(runControllersMember(controllers, signal), options)));
  const connectionOf = (nodeName: string) => connectionTo(server, nodeClient(nodeName));
  stack.use(await startClusterNodes(options, { url: server.url, kubeconfigPath, agents, connectionOf }));
  const running = stack.move();
  return { server, kubeconfigPath, client, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
