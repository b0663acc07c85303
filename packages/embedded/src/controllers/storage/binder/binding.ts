import type { EventRecorder, Informer, KubeClient } from "@stowage/kube";
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  type PersistentVolumeStatus,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
  type StorageClass,
} from "@stowage/machinery";
import type { LatestObjects } from "../latest-objects.ts";
import { boundClaim, boundVolume, type ClaimPhase, claimStatusIn, unboundVolume } from "./bound-objects.ts";
import type { Told } from "./claim-step.ts";

/** What binding works with. */
export interface Binding {
  readonly client: KubeClient;
  readonly events: EventRecorder;
  readonly claims: LatestObjects<PersistentVolumeClaim>;
  readonly volumes: LatestObjects<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
  readonly pods: Informer<Pod>;
}

type VolumePhase = NonNullable<PersistentVolumeStatus["phase"]>;

/**
 * Four writes, of which each may be the last before a crash: the volume names the claim first, so that nobody else takes it, and
 * what is missing is found and done by the next sync of either.
 */
export async function bind(b: Binding, volume: PersistentVolume, claim: PersistentVolumeClaim): Promise<void> {
  const named = boundVolume(volume, claim);
  const held = named === undefined ? volume : await saveVolume(b, named);
  const marked = await markVolume(b, held, "Bound");
  const completed = boundClaim(claim, marked);
  const bound = completed === undefined ? claim : await saveClaim(b, completed);
  await markClaim(b, bound, "Bound", marked);
}

export async function unbind(b: Binding, volume: PersistentVolume): Promise<void> {
  await markVolume(b, await saveVolume(b, unboundVolume(volume)), "Available");
}

async function saveVolume({ client, volumes }: Binding, volume: PersistentVolume): Promise<PersistentVolume> {
  return volumes.wrote(await client.update(persistentVolumes, volume));
}

export async function saveClaim(
  { client, claims }: Binding,
  claim: PersistentVolumeClaim,
): Promise<PersistentVolumeClaim> {
  return claims.wrote(await client.update(persistentVolumeClaims, claim));
}

export async function markVolume(
  { client, volumes }: Binding,
  volume: PersistentVolume,
  phase: VolumePhase,
  message?: string,
): Promise<PersistentVolume> {
  if (volume.status?.phase === phase) return volume;
  const { message: _, ...status } = volume.status ?? {};
  const marked = { ...volume, status: { ...status, phase, ...(message && { message }) } };
  return volumes.wrote(await client.update(persistentVolumes, marked, { subresource: "status" }));
}

/** Tells of it once, not at every sync. */
export async function failVolume(b: Binding, volume: PersistentVolume, { reason, message }: Told): Promise<void> {
  if (volume.status?.phase === "Failed") return;
  b.events.event(await markVolume(b, volume, "Failed", message), "Warning", reason, message);
}

export async function markClaim(
  { client, claims }: Binding,
  claim: PersistentVolumeClaim,
  phase: ClaimPhase,
  volume?: PersistentVolume,
): Promise<PersistentVolumeClaim> {
  const status = claimStatusIn(phase, claim, volume);
  if (status === undefined) return claim;
  const marked = { ...claim, status };
  return claims.wrote(await client.update(persistentVolumeClaims, marked, { subresource: "status" }));
}
