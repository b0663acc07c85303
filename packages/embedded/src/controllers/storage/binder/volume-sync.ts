import { keyOf, objectKey } from "@stowage/kube";
import {
  bindingReasons,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
} from "@stowage/machinery";
import { classOfClaim, isDelayed } from "../classes.ts";
import { isTerminated, podsByClaim } from "../pod-volumes.ts";
import { type Binding, failVolume, markVolume, unbind } from "./binding.ts";
import { findVolume } from "./volume-match.ts";
import { desiredVolumeStep, isReleased, reclaimFailure } from "./volume-step.ts";

/** The keys of the claims that are to be looked at next. */
export async function syncVolume(b: Binding, volume: PersistentVolume): Promise<string[]> {
  const claim = await claimOf(b, volume);
  const next = desiredVolumeStep(volume, claim);
  switch (next.step) {
    case "mark": {
      const marked = await markVolume(b, volume, next.phase);
      return marked === volume ? [] : claimsFor(b, marked);
    }
    case "awaken":
      return [claimKeyOf(volume)].filter((key) => key !== undefined);
    case "refuse":
      tellRefused(b, volume, claim as PersistentVolumeClaim);
      return [];
    case "release":
      await reclaim(b, isReleased(volume) ? volume : await markVolume(b, volume, "Released"));
      return [];
    case "unbind":
      await unbind(b, volume);
      return [];
  }
}

/** Claims that may have waited for the volume: without them it would be a quarter of a minute until they are looked at again. */
function claimsFor({ claims, classes }: Binding, volume: PersistentVolume): string[] {
  if (volume.status?.phase !== "Available") return [];
  const isFor = (claim: PersistentVolumeClaim) => {
    if (claim.spec?.volumeName)
      return claim.status?.phase === "Pending" && claim.spec.volumeName === volume.metadata.name;
    const storageClass = classes.objects.getByKey(classOfClaim(claim));
    return findVolume(claim, [volume], isDelayed(storageClass)) !== undefined;
  };
  return claims.list().filter(isFor).map(objectKey);
}

/** The key of the claim that a volume names. */
export function claimKeyOf({ spec }: PersistentVolume): string | undefined {
  const { namespace, name } = spec?.claimRef ?? {};
  return name === undefined ? undefined : keyOf({ namespace, name });
}

/**
 * The claim that the volume names, undefined when it is gone. Before a volume is released the server itself is asked: whoever made
 * or bound the volume may know a claim that has not come here yet.
 */
async function claimOf(
  { client, claims }: Binding,
  volume: PersistentVolume,
): Promise<PersistentVolumeClaim | undefined> {
  const { namespace, name = "", uid } = volume.spec?.claimRef ?? {};
  if (!uid) return undefined;
  const known = claims.getByKey(keyOf({ namespace, name }));
  if (known?.metadata.uid === uid) return known;
  if (known === undefined && isReleased(volume)) return undefined;
  const live = await client.find(persistentVolumeClaims, { namespace, name });
  return live?.metadata.uid === uid ? live : undefined;
}

function tellRefused({ events }: Binding, volume: PersistentVolume, claim: PersistentVolumeClaim): void {
  const ofClaim = `requested PersistentVolumeClaim ${JSON.stringify(claim.metadata.name)}`;
  const toVolume = `Cannot bind PersistentVolume to ${ofClaim} due to incompatible volumeMode.`;
  events.event(volume, "Warning", bindingReasons.mismatch, toVolume);
  const ofVolume = `PersistentVolume ${JSON.stringify(volume.metadata.name)}`;
  const toClaim = `Cannot bind ${ofVolume} to requested PersistentVolumeClaim due to incompatible volumeMode.`;
  events.event(claim, "Warning", bindingReasons.mismatch, toClaim);
}

async function reclaim(b: Binding, volume: PersistentVolume): Promise<void> {
  const failure = reclaimFailure(volume);
  if (failure === undefined) return;
  const users = failure.reason === bindingReasons.recycleFailed ? usersOf(b, volume) : [];
  if (users.length > 0 && b.claims.getByKey(claimKeyOf(volume) ?? "") === undefined) {
    return b.events.event(volume, "Normal", failure.reason, `Volume is used by pods: ${users.join(",")}`);
  }
  await failVolume(b, volume, { type: "Warning", ...failure });
}

/** Pods that still use the claim, which is gone. */
function usersOf({ pods }: Binding, volume: PersistentVolume): string[] {
  return pods.objects
    .byIndex(podsByClaim.name, claimKeyOf(volume) ?? "")
    .filter((pod) => !isTerminated(pod))
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
    .toSorted();
}
