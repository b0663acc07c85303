import type { PersistentVolumeClaim, Pod } from "@stowage/machinery";
import { ephemeralClaimName, isMadeForPod, isTerminated } from "../pod-volumes.ts";

/**
 * Whether a Pod keeps a claim from being deleted. One without a node does not: a Pod whose claim is being deleted is not started. One
 * that kubelet is done with does not keep the claim that was made for it: either may wait for the other's end.
 */
export function keepsClaim(pod: Pod, claim: PersistentVolumeClaim): boolean {
  const { metadata, spec } = pod;
  if (!spec?.nodeName || metadata.namespace !== claim.metadata.namespace) return false;
  const { name } = claim.metadata;
  return (spec.volumes ?? []).some((volume) => {
    if (volume.persistentVolumeClaim?.claimName === name) return true;
    const isOwn = volume.ephemeral !== undefined && ephemeralClaimName(metadata.name ?? "", volume) === name;
    return isOwn && !isShutDown(pod) && isMadeForPod(claim, pod);
  });
}

/** Whether news of a Pod can be what a claim has waited for. */
export function mayFreeClaims(pod: Pod): boolean {
  return isTerminated(pod) || !pod.spec?.nodeName;
}

function isShutDown({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
}
