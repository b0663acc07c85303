import { startApiServer } from "@stowage/embedded";
import { startTemporaryLab } from "@stowage/lab";
import { type Credentials, credentialsIn, readCredentials } from "../kubeconfig-credentials.ts";
import type { Server, Servers } from "./comparison.ts";
import { Connection } from "./connection.ts";

export interface ServerOptions {
  /** Of a real API server without controllers; a temporary one is started when left out. */
  readonly realKubeconfig?: string | undefined;
  /** Whether the real server stands in for the embedded one, to see what it does not answer twice in the same way. */
  readonly isSelfTest?: boolean;
}

/** As the certificate of the lab's administrator has it. */
const administrator = { user: "admin", group: "system:masters" };

/** Two servers to ask. */
export async function startServers({ realKubeconfig, isSelfTest = false }: ServerOptions) {
  const runId = `${process.pid.toString(36)}${Date.now().toString(36)}`;
  await using stack = new AsyncDisposableStack();
  const real = await realCredentials(stack, realKubeconfig);
  const embedded = isSelfTest ? real : await embeddedCredentials(stack);
  const connected = (credentials: Credentials, id: string): Server => {
    const connection = stack.adopt(new Connection(credentials), (opened) => opened.close());
    return { connection, runId: id };
  };
  const servers: Servers = {
    real: connected(real, `${runId}a`),
    embedded: connected(embedded, isSelfTest ? `${runId}b` : `${runId}a`),
  };
  const owned = stack.move();
  return { ...servers, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function realCredentials(stack: AsyncDisposableStack, kubeconfig: string | undefined): Promise<Credentials> {
  if (kubeconfig !== undefined) return readCredentials(kubeconfig);
  const lab = await startTemporaryLab({ level: "api" });
  stack.defer(() => lab.stop());
  return readCredentials(lab.kubeconfigPath);
}

async function embeddedCredentials(stack: AsyncDisposableStack): Promise<Credentials> {
  const server = stack.use(await startApiServer());
  return credentialsIn(server.kubeconfig(administrator));
}
