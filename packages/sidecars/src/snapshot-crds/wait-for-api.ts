import { isNotFound, type KubeClient } from "@stowage/kube";
import {
  apiVersionOf,
  type Clock,
  type Logger,
  type ResourceType,
  StowageError,
  volumeGroupSnapshotClasses,
  volumeGroupSnapshotContents,
  volumeGroupSnapshots,
  volumeSnapshotClasses,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";

export interface SnapshotApiDeps {
  readonly client: Pick<KubeClient, "getPath">;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface SnapshotApi {
  /** False: the CRDs of group snapshots are not installed, and what needs them is to stay off. */
  readonly hasGroupSnapshots: boolean;
}

export interface WaitOptions {
  /** `--retry-crd-interval-max`; 0 asks once. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

const single = [volumeSnapshots, volumeSnapshotContents, volumeSnapshotClasses];
const grouped = [volumeGroupSnapshots, volumeGroupSnapshotContents, volumeGroupSnapshotClasses];

const FIRST_PAUSE_MS = 100;
const PAUSE_FACTOR = 1.5;
/** Whoever installs them does so together: once the others are there, those of groups come at once or not at all. */
const GROUPS_LATER_MS = 5_000;

/**
 * Waits for the CRDs of snapshots, which may be installed at the same moment. Without them it fails; without those of group
 * snapshots it warns. To be asked before any cache of these resources is made: the watch of a resource that is not there would
 * fail for ever.
 */
export async function waitForSnapshotApi(deps: SnapshotApiDeps, options: WaitOptions): Promise<SnapshotApi> {
  const { clock, logger } = deps;
  let deadlineMs = clock.monotonicMs() + options.timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= PAUSE_FACTOR) {
    const [missing, missingGroups] = await Promise.all([missingOf(deps, single), missingOf(deps, grouped)]);
    if (missing.length === 0 && missingGroups.length === 0) return { hasGroupSnapshots: true };
    const nowMs = clock.monotonicMs();
    if (missing.length === 0) deadlineMs = Math.min(deadlineMs, nowMs + GROUPS_LATER_MS);
    if (nowMs >= deadlineMs) {
      if (missing.length > 0) throw crdsMissing(missing);
      logger.warn(
        { missing: missingGroups },
        "no CRDs of group snapshots: those are off until this process starts anew",
      );
      return { hasGroupSnapshots: false };
    }
    await clock.sleep(Math.min(pauseMs, deadlineMs - nowMs), options.signal);
  }
}

interface ResourceList {
  readonly resources?: readonly { readonly name: string }[];
}

/** By discovery, which every user may read and which tells absent from forbidden. */
async function missingOf({ client }: SnapshotApiDeps, types: readonly ResourceType[]): Promise<string[]> {
  const [{ group, version }] = types as [ResourceType];
  const { resources = [] } = await client
    .getPath<ResourceList>(`/apis/${group}/${version}`)
    .catch((error: unknown): ResourceList => {
      if (isNotFound(error)) return {};
      throw error;
    });
  const served = new Set(resources.map(({ name }) => name));
  return types.filter(({ plural }) => !served.has(plural)).map((type) => `${type.plural} of ${apiVersionOf(type)}`);
}

function crdsMissing(missing: readonly string[]): StowageError {
  return new StowageError("SNAPSHOT_CRDS_MISSING", `the API server does not have ${missing.join(", ")}`);
}
