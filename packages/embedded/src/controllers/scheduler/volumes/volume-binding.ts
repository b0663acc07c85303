import type { PersistentVolumeClaim, Pod, Volume } from "@stowage/machinery";
import { classOfClaim, isDelayed } from "../../storage/classes.ts";
import { claimNameOf, isMadeForPod } from "../../storage/pod-volumes.ts";
import type { Filter } from "../filters/filter.ts";
import { absentClaim } from "../filters/volume-filters.ts";
import type { StorageView } from "./storage-view.ts";
import { isFullyBound, type PodClaims, volumePlan } from "./volume-plan.ts";

const name = "VolumeBinding";

/** Whether the Pod's volumes can be reached from the node, and those that it waits for can be bound or made there. */
export const volumeBinding: Filter = {
  name,
  prepare(pod, { storage }) {
    const claims = podClaims(pod, storage);
    if (typeof claims === "string") return { refusal: { filter: name, reasons: [claims], isFinal: true } };
    if (claims.bound.length + claims.delayed.length === 0) return undefined;
    return {
      check({ node }) {
        const plan = volumePlan(claims, node, storage);
        return Array.isArray(plan) ? { filter: name, reasons: plan, isFinal: true } : undefined;
      },
    };
  },
};

/** The Pod's claims, or why it cannot go anywhere because of one. */
export function podClaims(pod: Pod, storage: StorageView): PodClaims | string {
  const bound: PersistentVolumeClaim[] = [];
  const delayed: PersistentVolumeClaim[] = [];
  let isUnbound = false;
  for (const volume of pod.spec?.volumes ?? []) {
    const claim = claimOf(pod, volume, storage);
    if (typeof claim === "string") return claim;
    if (claim === undefined) continue;
    if (isFullyBound(claim)) bound.push(claim);
    else if (mayWait(claim, storage)) delayed.push(claim);
    else isUnbound = true;
  }
  return isUnbound ? "pod has unbound immediate PersistentVolumeClaims" : { bound, delayed };
}

/** One that names its volume is the binder's to bind, whatever its class. */
function mayWait(claim: PersistentVolumeClaim, storage: StorageView): boolean {
  return (claim.spec?.volumeName ?? "") === "" && isDelayed(storage.storageClass(classOfClaim(claim)));
}

function claimOf(pod: Pod, volume: Volume, storage: StorageView): PersistentVolumeClaim | string | undefined {
  const { namespace = "", name: podName = "" } = pod.metadata;
  const claimName = claimNameOf(podName, volume);
  if (claimName === undefined) return undefined;
  const isOwn = volume.ephemeral !== undefined;
  const claim = storage.claim(namespace, claimName);
  if (claim === undefined) {
    if (!isOwn) return absentClaim(claimName);
    return `waiting for ephemeral volume controller to create the persistentvolumeclaim "${claimName}"`;
  }
  if (claim.status?.phase === "Lost") {
    return `persistentvolumeclaim "${claimName}" bound to non-existent persistentvolume "${claim.spec?.volumeName}"`;
  }
  if (claim.metadata.deletionTimestamp !== undefined) return `persistentvolumeclaim "${claimName}" is being deleted`;
  if (!isOwn || isMadeForPod(claim, pod)) return claim;
  return `PVC ${namespace}/${claimName} was not created for pod ${namespace}/${podName} (pod is not owner)`;
}
