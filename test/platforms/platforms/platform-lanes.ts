import type { OperatorCluster } from "../../operators/driver-operator/operator-cluster.ts";
import { type Clouds, startClouds } from "./clouds.ts";
import { emptyCluster, ownObjects } from "./empty-cluster.ts";
import { startEmptyCluster } from "./platform-cluster.ts";
import { type PlatformOutcome, runPlatform } from "./platform-run.ts";
import type { Platform } from "./platform-table.ts";
import { createTurnstile, type Turnstile } from "./turnstile.ts";

/** Several platforms at once, each on an API server that has nothing of the one before. */
export interface PlatformLanes extends AsyncDisposable {
  outcomeOf(platform: Platform): Promise<PlatformOutcome>;
}

export interface LanesOptions {
  /** How many API servers there are. */
  readonly laneCount: number;
  /** How many of them are brought to life, or emptied, at a time; the others are at rest, or wait. */
  readonly busyCount: number;
  readonly quietMs: number;
}

export async function startLanes(platforms: readonly Platform[], options: LanesOptions): Promise<PlatformLanes> {
  const { laneCount, busyCount, quietMs } = options;
  const turnstile = createTurnstile(busyCount);
  const clouds = await startClouds();
  const turns = platforms.map((platform) => ({ platform, ...Promise.withResolvers<PlatformOutcome>() }));
  // Its test tells of it.
  for (const { promise } of turns) promise.catch(() => {});
  // Whoever is at the front decides what the lane is for: an API server of OpenShift stays one.
  const waiting = [...turns];
  const lanes = Array.from({ length: laneCount }, () => runLane({ clouds, turnstile, quietMs, waiting }));
  return {
    async outcomeOf(platform) {
      const turn = turns.find((each) => each.platform === platform);
      if (turn === undefined) throw new Error(`${platform.name} was not run`);
      return turn.promise;
    },
    async [Symbol.asyncDispose]() {
      waiting.length = 0;
      await Promise.allSettled(lanes);
      await clouds[Symbol.asyncDispose]();
    },
  };
}

type Turn = PromiseWithResolvers<PlatformOutcome> & { readonly platform: Platform };

interface LaneDeps {
  readonly clouds: Clouds;
  readonly turnstile: Turnstile;
  readonly quietMs: number;
  /** Of all lanes; each takes from the front. */
  readonly waiting: Turn[];
}

interface Lane {
  readonly isOpenShift: boolean;
  readonly cluster: OperatorCluster;
  readonly own: ReadonlySet<string>;
}

async function runLane({ waiting, ...deps }: LaneDeps): Promise<void> {
  let lane: Lane | undefined;
  const leave = async () => {
    await lane?.cluster[Symbol.asyncDispose]();
    lane = undefined;
  };
  for (let turn = waiting.shift(); turn !== undefined; turn = waiting.shift()) {
    try {
      const isOpenShift = turn.platform.infrastructure !== undefined;
      if (lane?.isOpenShift !== isOpenShift) await leave();
      lane ??= await deps.turnstile.inside(() => startLane(isOpenShift));
      const { cluster, own } = lane;
      turn.resolve(await runPlatform({ ...deps, cluster, own }, turn.platform));
      await deps.turnstile.inside(() => emptyCluster(cluster, own));
    } catch (error) {
      turn.reject(error);
      // Whatever is wrong with it, the next platform is not to suffer.
      await leave();
    }
  }
  await leave();
}

async function startLane(isOpenShift: boolean): Promise<Lane> {
  const cluster = await startEmptyCluster({ isOpenShift });
  return { isOpenShift, cluster, own: await ownObjects(cluster) };
}
