import { isForbidden, isNotFound, type KubeClient, type ObjectReader } from "@stowage/kube";
import {
  type KubernetesObject,
  type Logger,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  provisioningFinalizers,
  type ResourceType,
  type VolumeSnapshot,
  volumeSnapshots,
} from "@stowage/machinery";
import { uidOf } from "../requests/index.ts";
import { isWaitingFor } from "./data-source.ts";

export interface SourceProtectionDeps {
  readonly client: Pick<KubeClient, "get" | "find" | "update">;
  readonly logger: Logger;
}

const { cloningProtection, snapshotSourceProtection } = provisioningFinalizers;

/** Keeps a claim while it is cloned. The cloning protection controller takes the finalizer away. */
export async function protectClaim({ client }: SourceProtectionDeps, cached: PersistentVolumeClaim): Promise<void> {
  if (hasFinalizer(cached, cloningProtection)) return;
  const { namespace, name = "" } = cached.metadata;
  const claim = await client.get(persistentVolumeClaims, { namespace, name });
  if (!hasFinalizer(claim, cloningProtection))
    await client.update(persistentVolumeClaims, withFinalizer(claim, cloningProtection));
}

/** Keeps a snapshot while it is restored. Without the right to do so it is restored unprotected. */
export async function protectSnapshot(deps: SourceProtectionDeps, snapshot: VolumeSnapshot): Promise<void> {
  if (hasFinalizer(snapshot, snapshotSourceProtection)) return;
  await ifAllowed(deps, snapshot, () =>
    deps.client.update(volumeSnapshots, withFinalizer(snapshot, snapshotSourceProtection)),
  );
}

export interface SnapshotUse {
  readonly namespace: string;
  readonly name: string;
  /** The claim that needs it no longer. */
  readonly claimUid: string;
}

/** When a claim has been restored, and no other waits for the same snapshot. */
export async function releaseSnapshot(
  deps: SourceProtectionDeps & { readonly claims: Pick<ObjectReader<PersistentVolumeClaim>, "list"> },
  { namespace, name, claimUid }: SnapshotUse,
): Promise<void> {
  const others = deps.claims
    .list()
    .filter((claim) => claim.metadata.namespace === namespace && uidOf(claim) !== claimUid);
  if (others.some((claim) => isWaitingFor(claim, "snapshot", name))) return;
  await unprotectSnapshot(deps, { namespace, name });
}

export async function unprotectSnapshot(
  deps: SourceProtectionDeps,
  ref: { readonly namespace: string; readonly name: string },
): Promise<void> {
  const snapshot = await deps.client.find(volumeSnapshots, ref);
  if (snapshot === undefined || !hasFinalizer(snapshot, snapshotSourceProtection)) return;
  await ifAllowed(deps, snapshot, () => removeFinalizer(deps, volumeSnapshots, [snapshot, snapshotSourceProtection]));
}

/** Of an object as it is now: one that has changed since is a conflict. One that is gone meanwhile needs nothing. */
export async function removeFinalizer<T extends KubernetesObject>(
  { client }: SourceProtectionDeps,
  type: ResourceType<T>,
  [object, finalizer]: readonly [T, string],
): Promise<void> {
  const finalizers = (object.metadata.finalizers ?? []).filter((each) => each !== finalizer);
  try {
    await client.update(type, { ...object, metadata: { ...object.metadata, finalizers } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

export function hasFinalizer({ metadata }: Pick<KubernetesObject, "metadata">, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

function withFinalizer<T extends KubernetesObject>(object: T, finalizer: string): T {
  return {
    ...object,
    metadata: { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), finalizer] },
  };
}

// Roles made for the original before it protected snapshots do not allow it; restoring must work with them all the same.
async function ifAllowed(
  { logger }: SourceProtectionDeps,
  { metadata }: VolumeSnapshot,
  update: () => Promise<unknown>,
): Promise<void> {
  try {
    await update();
  } catch (error) {
    if (!isForbidden(error)) throw error;
    const snapshot = `${metadata.namespace}/${metadata.name}`;
    logger.info({ snapshot, error }, "may not update volumesnapshots: the snapshot is restored without protection");
  }
}
