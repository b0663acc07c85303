import { isCsiCode, isFinalError } from "@stowage/csi";
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Quantity,
  resizeReasons,
  StowageError,
} from "@stowage/machinery";
import type { SyncOutcome } from "@stowage/operator";
import { patchVolume } from "../caches/index.ts";
import { claimSizes, wantsExpansion } from "./claim-sizes.ts";
import type { ClaimUsers } from "./claim-users.ts";
import { expandVolume, type GrownVolume } from "./expand-volume.ts";
import {
  expandedPatch,
  expandingPatch,
  expansionErrorPatch,
  grownVolumePatch,
  isAllocated,
  nodePendingPatch,
  uncertainPatch,
  withoutPreResizeCapacity,
} from "./expansion-patches.ts";
import { expansionTarget } from "./expansion-target.ts";
import { isBoundTo, isOwnVolume, patchClaimStatus, type Resizing, wordsOf } from "./resizing.ts";
import type { SlowRetries } from "./slow-retries.ts";

/** What expanding remembers between its tries; after a restart, the status of the claims is enough to be safe. */
export interface Expanding extends Resizing {
  /** The driver expands on the node alone. */
  readonly isNodeOnly: boolean;
  /** Claims whose last expansion certainly failed. */
  readonly failed: Set<string>;
  /** Claims whose last expansion the driver called impossible. */
  readonly slow: SlowRetries;
  /** Missing when volumes in use are not waited for. */
  readonly users: ClaimUsers | undefined;
}

interface Expansion {
  readonly key: string;
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
  readonly target: Quantity;
}

/** Brings the volume of a claim to the size that is requested, as far as the controller can. */
export async function expandClaim(deps: Expanding, key: string, signal: AbortSignal): Promise<SyncOutcome> {
  const claim = deps.claims.getByKey(key);
  const volume = claim && volumeOf(deps, claim);
  if (claim === undefined || volume === undefined || !isOwnVolume(deps, volume)) {
    forget(deps, key);
    return undefined;
  }
  const cleanup = withoutPreResizeCapacity(claim, volume);
  if (cleanup !== undefined) await patchVolume(deps, volume, cleanup);
  const facts = { hasFailed: deps.failed.has(key), isNodeOnly: deps.isNodeOnly };
  const isWanted = wantsExpansion(claim) && isBoundTo(volume, claim);
  const target = isWanted ? expansionTarget(claim, volume, facts) : undefined;
  if (target === undefined) {
    forget(deps, key);
    return undefined;
  }
  const slowMs = isAllocated(claim, target) ? deps.slow.remainingMs(key) : 0;
  return slowMs > 0 ? { requeueAfterMs: slowMs } : expand(deps, { key, claim, volume, target }, signal);
}

function volumeOf({ volumes }: Expanding, claim: PersistentVolumeClaim): PersistentVolume | undefined {
  const name = claim.spec?.volumeName ?? "";
  const volume = volumes.getByKey(name);
  // Another driver's, perhaps: worth an error only where something is wanted.
  if (volume === undefined && wantsExpansion(claim))
    throw new StowageError("CLAIM_VOLUME_UNKNOWN", `PersistentVolume ${name} of the claim has not been seen`);
  return volume;
}

function forget({ failed, slow, users }: Expanding, key: string): void {
  failed.delete(key);
  slow.forget(key);
  users?.forget(key);
}

async function expand(deps: Expanding, expansion: Expansion, signal: AbortSignal): Promise<SyncOutcome> {
  const { key, volume, target } = expansion;
  const patch = expandingPatch(expansion.claim, target, deps.clock.nowMs());
  const claim = patch === undefined ? expansion.claim : await patchClaimStatus(deps, expansion.claim, patch);
  if (await waitsForPods(deps, { key, claim }, signal)) return { requeueAfterMs: deps.options.retryMaximumMs };
  const about = `External resizer is resizing volume ${volume.metadata.name}`;
  deps.events.event(claim, "Normal", resizeReasons.resizing, about);
  let grown: GrownVolume;
  try {
    grown = await expandVolume(deps, volume, { target, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    return await failed(deps, { ...expansion, claim }, error);
  }
  forget(deps, key);
  await finish(deps, { ...expansion, claim }, grown);
  return undefined;
}

/** After the driver has refused to expand the volume in use, it is not called again while a Pod uses it. */
async function waitsForPods(
  { users, driver, events, options }: Expanding,
  { key, claim }: Pick<Expansion, "key" | "claim">,
  signal: AbortSignal,
): Promise<boolean> {
  if (!users?.isFollowed(key)) return false;
  const pods = await users.podsUsing(key, { timeoutMs: options.timeoutMs, signal });
  if (pods.length === 0) return false;
  const why = `CSI driver ${driver.name} only supports offline expansion and volume is currently in-use`;
  const nextStep = `It goes on when no Pod uses the claim: stop ${pods.toSorted().slice(0, 5).join(", ")}.`;
  events.event(claim, "Warning", resizeReasons.failed, `Unable to expand ${key} because ${why}. ${nextStep}`);
  return true;
}

/** Writes down what is certain about a failure. */
async function failed(deps: Expanding, expansion: Expansion, error: unknown): Promise<SyncOutcome> {
  const { key, claim, volume } = expansion;
  const { driver, events, clock, logger, options } = deps;
  const isInfeasible = isCsiCode(error, "INVALID_ARGUMENT", "OUT_OF_RANGE", "NOT_FOUND");
  const words = wordsOf(error);
  const nextStep = isInfeasible ? `. ${infeasibleStep(claim)}` : "";
  const said = `resize volume ${JSON.stringify(volume.metadata.name)} by resizer ${JSON.stringify(driver.name)} failed: ${words}`;
  events.event(claim, "Warning", resizeReasons.failed, `${said}${nextStep}`);
  if (isCsiCode(error, "FAILED_PRECONDITION")) deps.users?.follow(key);
  else deps.users?.forget(key);
  if (!isFinalError(error)) {
    deps.failed.delete(key);
    deps.slow.forget(key);
    const patch = uncertainPatch(claim);
    if (patch !== undefined) await patchClaimStatus(deps, claim, patch);
    throw error;
  }
  deps.failed.add(key);
  const message = `failed to expand pvc with ${words}${nextStep}`;
  await patchClaimStatus(deps, claim, expansionErrorPatch(claim, { message, isInfeasible }, clock.nowMs()));
  if (!isInfeasible) throw error;
  deps.slow.add(key);
  logger.warn(
    { claim: key, error, retryMs: options.retryMaximumMs },
    "the driver cannot expand the volume to that size",
  );
  return { requeueAfterMs: options.retryMaximumMs };
}

function infeasibleStep(claim: PersistentVolumeClaim): string {
  return `Request another size, above the present ${claimSizes(claim).capacity.toString()}.`;
}

/** The volume first: from then on the claim can be finished again and again. */
async function finish(deps: Expanding, { claim, volume }: Expansion, grown: GrownVolume): Promise<void> {
  const { events, clock } = deps;
  const capacityBefore = grown.isNodeWorkLeft ? claimSizes(claim).capacity : undefined;
  const volumePatch = grownVolumePatch(volume, grown.size, capacityBefore);
  if (volumePatch !== undefined) await patchVolume(deps, volume, volumePatch);
  if (grown.isNodeWorkLeft) {
    await patchClaimStatus(deps, claim, nodePendingPatch(claim, clock.nowMs()));
    events.event(
      claim,
      "Normal",
      resizeReasons.fileSystemResizeRequired,
      "Require file system resize of volume on node",
    );
  } else {
    await patchClaimStatus(deps, claim, expandedPatch(claim, grown.size));
    events.event(claim, "Normal", resizeReasons.succeeded, "Resize volume succeeded");
  }
}
