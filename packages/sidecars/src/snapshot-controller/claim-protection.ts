import { objectKey } from "@stowage/kube";
import { type PersistentVolumeClaim, snapshotFinalizers, type VolumeSnapshot } from "@stowage/machinery";
import { contentNameOf } from "./desired-content.ts";
import { claimKeys, indexes } from "./indexes.ts";
import type { World } from "./world.ts";

const finalizer = snapshotFinalizers.claimAsSource;

/** The claim stays while a snapshot of it is being taken. One that is being deleted takes no new finalizer: the API refuses. */
export async function protectClaim(world: World, { metadata }: PersistentVolumeClaim): Promise<void> {
  const ref = { namespace: metadata.namespace, name: metadata.name ?? "" };
  await world.claimTurns.run(objectKey({ metadata }), async () => {
    const claim = world.claims.get(ref);
    if (claim === undefined || hasFinalizer(claim)) return;
    await world.claims.update(withFinalizers(claim, [...(claim.metadata.finalizers ?? []), finalizer]));
  });
}

/** Takes the finalizer off the claim of a snapshot when no snapshot of it is being taken, that of `leaving` apart. */
export async function releaseClaim(world: World, snapshot: VolumeSnapshot, leaving?: VolumeSnapshot): Promise<void> {
  const [key] = claimKeys(snapshot);
  if (key === undefined) return;
  await world.claimTurns.run(key, async () => {
    const claim = world.claims.getByKey(key);
    if (claim === undefined || !hasFinalizer(claim) || isInUse(world, key, leaving?.metadata.uid)) return;
    const others = (claim.metadata.finalizers ?? []).filter((each) => each !== finalizer);
    await world.claims.update(withFinalizers(claim, others));
  });
}

/**
 * Snapshots that never got as far as a content do not count: one that names a missing class, say, would pin the claim for as long
 * as nobody deletes it.
 */
function isInUse(world: World, claimKey: string, exceptUid: string | undefined): boolean {
  return world.snapshots.cached.byIndex(indexes.snapshotsOfClaim, claimKey).some((cached) => {
    const snapshot = world.snapshots.getByKey(objectKey(cached)) ?? cached;
    const { uid = "" } = snapshot.metadata;
    if (uid === exceptUid || snapshot.status?.readyToUse === true) return false;
    return world.beginnings.has(uid) || world.contents.get({ name: contentNameOf(snapshot) }) !== undefined;
  });
}

function hasFinalizer({ metadata }: PersistentVolumeClaim): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

function withFinalizers(claim: PersistentVolumeClaim, finalizers: string[]): PersistentVolumeClaim {
  return { ...claim, metadata: { ...claim.metadata, finalizers } };
}
