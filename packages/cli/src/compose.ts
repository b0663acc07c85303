import {
  type ConnectionConfig,
  createClient,
  createTransport,
  type KubeClient,
  loadKubeconfig,
  type Transport,
} from "@stowage/kube";
import { hasErrorCode } from "@stowage/machinery";
import type { CommandContext } from "./command.ts";
import { kubeconfigIn, stateDirOf } from "./up/up-state.ts";

export interface ClusterAccess extends Disposable {
  readonly connection: ConnectionConfig;
  readonly client: KubeClient;
  /** For answers that are no JSON, such as logs. */
  readonly transport: Transport;
}

export interface ClusterChoice {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** The one place that builds what commands are handed: connections, clients, clocks. */
export async function connectToCluster(
  { env, homeDir, logger }: CommandContext,
  options: ClusterChoice,
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

/** For commands that only look: where nobody has said which cluster is meant, it is the one that `stowage up` runs on this machine. */
export async function connectToLook(context: CommandContext, choice: ClusterChoice): Promise<ClusterAccess> {
  const { env, homeDir } = context;
  try {
    return await connectToCluster(context, choice);
  } catch (error) {
    const isChosen = (choice.kubeconfig ?? choice.context ?? env.KUBECONFIG ?? "") !== "";
    const own = kubeconfigIn(stateDirOf(homeDir, env.STOWAGE_UP_STATE_DIR));
    if (isChosen || own === undefined || !hasErrorCode(error, "KUBECONFIG_NOT_FOUND")) throw error;
    return await connectToCluster(context, { kubeconfig: own });
  }
}
