import { createClient, createTransport, type KubeClient, loadKubeconfig } from "@stowage/kube";

/** Where scenarios run. */
export interface Cluster {
  /** As an administrator, whose writes are told from those of the cluster's own parts by the name `scenario`. */
  readonly client: KubeClient;
  /** In the names of what is made, so that runs do not meet. */
  readonly runId: string;
}

export interface Clusters<C extends Cluster = Cluster> {
  readonly real: C;
  readonly embedded: C;
}

export function newRunId(): string {
  return `${process.pid.toString(36)}${Date.now().toString(36)}`;
}

/** A busy machine may take long, and nobody waits for an answer that never comes: scenarios have their own patience. */
const REQUEST_MS = 180_000;

/** A client under a name of its own, until the stack is disposed of. */
export async function connected(stack: AsyncDisposableStack, path: string, userAgent: string): Promise<KubeClient> {
  const config = await loadKubeconfig({ path, env: {}, homeDir: "/" });
  const transport = stack.adopt(createTransport(config, { userAgent, connectTimeoutMs: 60_000 }), (opened) =>
    opened.close(),
  );
  return createClient({ transport, timeoutMs: REQUEST_MS });
}
