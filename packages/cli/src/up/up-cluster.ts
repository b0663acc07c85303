import { existsSync, mkdirSync, realpathSync } from "node:fs";
import {
  type ClusterNodesOptions,
  endRemains,
  endUserNamespace,
  enterUserNamespace,
  nodeFolderIn,
  readAbilities,
  startEmbeddedCluster,
} from "@stowage/embedded";
import { type Clock, hasErrorCode, StowageError } from "@stowage/machinery";
import type { CommandContext } from "../command.ts";
import {
  type ControlPlaneId,
  type RunningCluster,
  startKubernetesCluster,
  stopKubernetes,
} from "./control-plane/index.ts";
import { nodeAddressIn } from "./node-addresses.ts";
import { ownImage } from "./own-image.ts";
import { ownProgram } from "./own-program.ts";
import { foldersOfClouds, type Simulation, type UpPlatform } from "./platforms/index.ts";
import { readyCloud, rememberedPort, rememberPort, statePaths } from "./up-state.ts";

/** What a container has to end by itself when everything stops. */
const GRACE_MS = 5_000;

export interface ClusterWishes {
  readonly nodes: number;
  /** The one of last time, or any free one, when left out. */
  readonly port?: number | undefined;
  readonly platform: UpPlatform;
  readonly controlPlane: ControlPlaneId;
}

interface ClusterPlace {
  readonly stateDir: string;
  readonly clock: Clock;
  /** What takes long. */
  said(text: string): void;
  /** Told when a part of the cluster ends that should not. */
  onFailed(error: unknown): void;
}

/**
 * Where this process is not root, it begins anew as root of a user namespace, if it can have one. Containers of root that are nothing but
 * processes would be root too, which our own Pods refuse.
 */
export async function enterOwnNamespace(stateDir: string): Promise<void> {
  const { kind, canEnterNamespace, reasons } = await readAbilities();
  if (canEnterNamespace) await enterUserNamespace(stateDir);
  if (kind !== "plain" || process.getuid?.() !== 0) return;
  throw new StowageError("UP_ROOT_WITHOUT_MOUNTS", `root may not make containers here: ${reasons.join("; ")}`);
}

export async function startCluster(
  context: CommandContext,
  wishes: ClusterWishes,
  place: ClusterPlace,
): Promise<RunningCluster> {
  const { stateDir, clock } = place;
  const known = rememberedPort(statePaths.port(stateDir));
  const { port = known ?? 0 } = wishes;
  // Whatever a crash left running would look for the server where it is no more.
  if (port !== known) await endProcesses(stateDir, clock);
  try {
    return await openCluster(context, { ...wishes, port }, place);
  } catch (error) {
    // Nobody asked for this very one.
    if (wishes.port !== undefined || !hasErrorCode(error, "UP_PORT_IN_USE")) throw error;
    await endProcesses(stateDir, clock);
    return openCluster(context, { ...wishes, port: 0 }, place);
  }
}

/** Ends what runs on when the process that ran the cluster is gone. Its data stays. */
export async function endCluster(stateDir: string, clock: Clock): Promise<void> {
  await endProcesses(stateDir, clock);
  await endUserNamespace(stateDir);
}

/** Containers first: they can say goodbye while there is somebody to say it to. */
async function endProcesses(stateDir: string, clock: Clock): Promise<void> {
  await endRemains({ folder: statePaths.cluster(stateDir), clock, graceMs: GRACE_MS });
  const controlFolder = statePaths.kubernetes(stateDir);
  if (existsSync(controlFolder)) await stopKubernetes(controlFolder);
}

async function openCluster(
  { env, logger, signal }: CommandContext,
  { nodes, port, controlPlane, platform: { simulation } }: Required<ClusterWishes>,
  { stateDir, clock, onFailed, said }: ClusterPlace,
): Promise<RunningCluster> {
  const { standIns: drivers = {} } = simulation ?? {};
  const folder = statePaths.cluster(stateDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const place = realpathSync(folder);
  const cloud = readyCloud(stateDir, Object.keys(drivers));
  const kubeletOf = (nodeName: string) => nodeFolderIn(place, nodeName);
  const image = ownImage(ownProgram(stateDir, env), { drivers, folder: cloud, kubeletOf });
  const addressOf = (index: number) => nodeAddressIn(place, index);
  const ofNodes = {
    folder,
    nodes,
    addressOf,
    image,
    ...(simulation && cloudNodes(simulation)),
    clock,
    logger,
    onFailed,
  };
  const controlFolder = statePaths.kubernetes(stateDir);
  const cluster =
    controlPlane === "embedded"
      ? await openEmbedded(ofNodes, port ?? 0)
      : await startKubernetesCluster({ ...ofNodes, controlFolder, port: port ?? 0, said, signal });
  rememberPort(statePaths.port(stateDir), cluster.url);
  return cluster;
}

async function openEmbedded(options: ClusterNodesOptions, port: number): Promise<RunningCluster> {
  try {
    const cluster = await startEmbeddedCluster({ ...options, port });
    return { ...cluster, url: cluster.server.url };
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    const message = `port ${port} of 127.0.0.1, which the API server is to have, is in use`;
    throw new StowageError("UP_PORT_IN_USE", message, { cause: error });
  }
}

/** What a cloud says of its machines. */
function cloudNodes({ providerId, region, zone, nodeLabels: further = {} }: Simulation) {
  const nodeLabels = { "topology.kubernetes.io/region": region, "topology.kubernetes.io/zone": zone, ...further };
  return { providerId, nodeLabels, emptyHostFolders: foldersOfClouds };
}

function isPortTaken(error: unknown): boolean {
  const cause = error instanceof StowageError ? error.cause : undefined;
  return (cause as NodeJS.ErrnoException | undefined)?.code === "EADDRINUSE";
}
