import { isAlreadyExists, isConflict, objectKey } from "@stowage/kube";
import { snapshotReasons as reasons, type VolumeSnapshot } from "@stowage/machinery";
import type { SyncOutcome } from "@stowage/operator";
import { failureText } from "../snapshots/index.ts";
import { protectClaim } from "./claim-protection.ts";
import { desiredContent } from "./desired-content.ts";
import { SnapshotFailure } from "./snapshot-failure.ts";
import type { SnapshotInput } from "./snapshot-input.ts";
import type { World } from "./world.ts";

/** Most drivers have answered by then, and the binding is written together with what they said. */
const BIND_DELAY_MS = 1_000;

/** Makes the content, upon which the driver's sidecar takes the snapshot. */
export async function beginSnapshot(
  world: World,
  snapshot: VolumeSnapshot,
  input: SnapshotInput,
): Promise<SyncOutcome> {
  const { uid = "" } = snapshot.metadata;
  const keepsVolumeMode = world.options.preventsVolumeModeConversion;
  world.beginnings.add(uid);
  try {
    await protectClaim(world, input.claim);
    await world.contents.create(desiredContent({ ...input, snapshot, keepsVolumeMode }));
  } catch (error) {
    // The cache will bring it.
    if (isAlreadyExists(error)) return { retry: true };
    if (isConflict(error)) throw error;
    throw notCreated(error);
  } finally {
    world.beginnings.delete(uid);
  }
  const message = `Waiting for a snapshot ${objectKey(snapshot)} to be created by the CSI driver.`;
  world.events.event(snapshot, "Normal", reasons.creating, message);
  world.bindAfterMs.set(uid, world.clock.monotonicMs() + BIND_DELAY_MS);
  return { requeueAfterMs: BIND_DELAY_MS };
}

function notCreated(cause: unknown): SnapshotFailure {
  return new SnapshotFailure(`Failed to create snapshot content: ${failureText(cause)}`, {
    reason: reasons.contentCreationFailed,
    nextStep: "It is tried again; check what the API server objects to.",
    cause,
  });
}
