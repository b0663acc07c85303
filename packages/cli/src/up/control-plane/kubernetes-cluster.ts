import { type ClusterNodesOptions, LocalAgents, nodePlaces, startClusterNodes } from "@stowage/embedded";
import { type ConnectionConfig, createClient, createTransport, type KubeClient, loadKubeconfig } from "@stowage/kube";
import type { Lab } from "@stowage/lab";
import { type Clock, type Logger, StowageError } from "@stowage/machinery";
import type { KeyPair } from "@stowage/machinery/certificates";
import { startKubeletServer } from "./kubelet-server.ts";
import { type LabModule, openLab, toUpError } from "./lab-door.ts";
import type { RunningCluster } from "./running-cluster.ts";

export interface KubernetesWishes extends ClusterNodesOptions {
  /** Of the control plane. */
  readonly controlFolder: string;
  /** Of the API server; all are chosen anew when it is 0. */
  readonly port: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What takes long the first time. */
  said(text: string): void;
  onFailed(error: unknown): void;
  readonly signal: AbortSignal;
}

/** How often it is looked whether all of it runs. */
const LOOK_MS = 1_000;

/** Unlike a lab for tests, this one has something to lose when the machine goes down. */
const extraFlags = { etcd: ["--unsafe-no-fsync=false"] };

/**
 * Starts etcd, kube-apiserver, kube-controller-manager and kube-scheduler, or what of them does not run, and the nodes in this process.
 * They are processes of their own: who is killed leaves them running, and `stopKubernetes` ends them.
 */
export async function startKubernetesCluster(wishes: KubernetesWishes): Promise<RunningCluster> {
  const { clock, logger } = wishes;
  await using stack = new AsyncDisposableStack();
  const lab = await startControlPlane(wishes);
  stack.use(keptRunning(lab, wishes));
  const { server: url, kubeconfigPath } = lab;
  const config = await loadKubeconfig({ path: kubeconfigPath, env: {}, homeDir: "/" });
  const transport = stack.adopt(createTransport(config, { userAgent: "stowage" }), (opened) => opened.close());
  const client = createClient({ transport, clock, logger });
  stack.use(await startNodes(wishes, { lab, config, client }));
  const running = stack.move();
  return { url, kubeconfigPath, client, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

interface StartedControlPlane {
  readonly lab: Lab;
  /** As an administrator. */
  readonly config: ConnectionConfig;
  readonly client: KubeClient;
}

/** Each with a server that the API server can ask. */
async function startNodes(wishes: KubernetesWishes, started: StartedControlPlane): Promise<AsyncDisposable> {
  const { lab, config, client } = started;
  await using stack = new AsyncDisposableStack();
  const agents = new LocalAgents();
  const identities = new Map<string, KeyPair>();
  const ports = new Map<string, number>();
  for (const { name: nodeName, address: host } of nodePlaces(wishes)) {
    const names = [nodeName, host];
    const own = lab.issue({ commonName: `system:node:${nodeName}`, organization: "system:nodes", names });
    const tls = { ca: lab.authority, cert: own.certificate, key: own.key };
    const server = stack.use(await startKubeletServer({ nodeName, host, tls, agents, client }));
    identities.set(nodeName, own);
    ports.set(nodeName, server.port);
  }
  const nodes = await startClusterNodes(wishes, {
    url: lab.server,
    kubeconfigPath: lab.kubeconfigPath,
    agents,
    portOf: (nodeName) => ports.get(nodeName),
    connectionOf: (nodeName) => connectionAs(identities.get(nodeName), config),
  });
  stack.use(nodes);
  return stack.move();
}

/** As the node itself: the real API server lets it see and change what is its own, and no more. */
function connectionAs(pair: KeyPair | undefined, administrator: ConnectionConfig): ConnectionConfig {
  const inline = (pem = "") => ({ kind: "inline", pem }) as const;
  const clientCertificate = { cert: inline(pair?.certificate), key: inline(pair?.key) };
  return { ...administrator, credentials: { clientCertificate } };
}

/** Ends the control plane of a folder, whoever started it. Its data stays. */
export async function stopKubernetes(controlFolder: string): Promise<void> {
  const lab = await openLab();
  try {
    await lab.stopLab({ dir: controlFolder, progress: lab.silentProgress });
  } catch (error) {
    throw toUpError(lab, error);
  }
}

/** Throws UP_PORT_IN_USE when somebody else has the API server's; the others may be any. */
async function startControlPlane(wishes: KubernetesWishes): Promise<Lab> {
  const lab = await openLab();
  try {
    return await startLab(lab, wishes, wishes.port === 0);
  } catch (error) {
    if (!lab.hasLabErrorCode(error, "PORT_TAKEN")) throw toUpError(lab, error);
  }
  await stopKubernetes(wishes.controlFolder);
  try {
    return await startLab(lab, wishes, true);
  } catch (error) {
    if (!lab.hasLabErrorCode(error, "PORT_TAKEN")) throw toUpError(lab, error);
    const message = `port ${wishes.port} of 127.0.0.1, which the API server is to have, is in use`;
    throw new StowageError("UP_PORT_IN_USE", message, { cause: error });
  }
}

function startLab(lab: LabModule, wishes: KubernetesWishes, newPorts: boolean): Promise<Lab> {
  const { controlFolder: dir, port, said, signal } = wishes;
  const progress = { line: (text: string) => said(`    ${text}`) };
  const ports = { newPorts, ...(port !== 0 && { serverPort: port }) };
  return lab.startLab({ dir, level: "control", extraFlags, ...ports, progress, signal });
}

/** What ends by itself is started again, as the parts of the embedded one would be with their process. */
function keptRunning(lab: Lab, { clock, onFailed }: KubernetesWishes): AsyncDisposable {
  const stop = new AbortController();
  const keep = async () => {
    while (!stop.signal.aborted) {
      for (const name of lab.missing()) await lab.start(name);
      await clock.sleep(LOOK_MS, stop.signal);
    }
  };
  const ended = keep().catch(async (error: unknown) => {
    if (!stop.signal.aborted) onFailed(toUpError(await openLab(), error));
  });
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
}
