import {
  type ConnectionConfig,
  createClient,
  createTransport,
  type KubeClient,
  loadKubeconfig,
  type Transport,
} from "@stowage/kube";
import type { CommandContext } from "./command.ts";

export interface ClusterAccess extends Disposable {
  readonly connection: ConnectionConfig;
  readonly client: KubeClient;
  /** For answers that are no JSON, such as logs. */
  readonly transport: Transport;
}

/** The one place that builds what commands are handed: connections, clients, clocks. */
export async function connectToCluster(
  { env, homeDir, logger }: CommandContext,
  options: { readonly kubeconfig?: string; readonly context?: string },
): Promise<ClusterAccess> {
  const connection = await loadKubeconfig({ path: options.kubeconfig, context: options.context, env, homeDir });
  const transport = createTransport(connection, { logger });
  return {
    connection,
    client: createClient({ transport, defaultNamespace: connection.namespace, logger }),
    transport,
    [Symbol.dispose]: () => transport.close(),
  };
}
