import {
  type EmbeddedCluster,
  endRemains,
  endUserNamespace,
  enterUserNamespace,
  readAbilities,
  startEmbeddedCluster,
} from "@stowage/embedded";
import { type Clock, StowageError } from "@stowage/machinery";
import type { CommandContext } from "../command.ts";
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
}

interface ClusterPlace {
  readonly stateDir: string;
  readonly clock: Clock;
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
): Promise<EmbeddedCluster> {
  const { stateDir, clock } = place;
  const known = rememberedPort(statePaths.port(stateDir));
  const { port = known ?? 0 } = wishes;
  const remains = remainsOf(stateDir, clock);
  // Whatever a crash left running would look for the server where it is no more.
  if (port !== known) await endRemains(remains);
  try {
    return await openCluster(context, { ...wishes, port }, place);
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    if (wishes.port !== undefined) {
      const message = `port ${port} of 127.0.0.1, which the API server is to have, is in use`;
      throw new StowageError("UP_PORT_IN_USE", message, { cause: error });
    }
    // Nobody asked for this very one.
    await endRemains(remains);
    return openCluster(context, { ...wishes, port: 0 }, place);
  }
}

/** Ends what runs on when the process that ran the cluster is gone. Its data stays. */
export async function endCluster(stateDir: string, clock: Clock): Promise<void> {
  await endRemains(remainsOf(stateDir, clock));
  await endUserNamespace(stateDir);
}

async function openCluster(
  { env, logger }: CommandContext,
  { nodes, port, platform: { simulation } }: Required<ClusterWishes>,
  { stateDir, clock, onFailed }: ClusterPlace,
): Promise<EmbeddedCluster> {
  const { standIns: drivers = {} } = simulation ?? {};
  const standIns = { drivers, folder: readyCloud(stateDir, Object.keys(drivers)) };
  const image = ownImage(ownProgram(stateDir, env), standIns);
  const folder = statePaths.cluster(stateDir);
  const cluster = await startEmbeddedCluster({
    folder,
    nodes,
    port: port ?? 0,
    image,
    ...(simulation && cloudNodes(simulation)),
    clock,
    logger,
    onFailed,
  });
  rememberPort(statePaths.port(stateDir), cluster.server.url);
  return cluster;
}

/** What a cloud says of its machines. */
function cloudNodes({ providerId, region, zone }: Simulation) {
  const nodeLabels = { "topology.kubernetes.io/region": region, "topology.kubernetes.io/zone": zone };
  return { providerId, nodeLabels, emptyHostFolders: foldersOfClouds };
}

function remainsOf(stateDir: string, clock: Clock) {
  return { folder: statePaths.cluster(stateDir), clock, graceMs: GRACE_MS };
}

function isPortTaken(error: unknown): boolean {
  const cause = error instanceof StowageError ? error.cause : undefined;
  return (cause as NodeJS.ErrnoException | undefined)?.code === "EADDRINUSE";
}
