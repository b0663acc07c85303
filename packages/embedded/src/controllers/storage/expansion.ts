import { createController, objectKey } from "@stowage/kube";
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  resizingAnnotations,
} from "@stowage/machinery";
import { type ControllerDeps, type ControllerPart, queueBackoff } from "../kit/index.ts";
import { requestOf, storageOf } from "./binder/volume-match.ts";

/** Whether more was asked for, or more was got, than before. */
export function hasGrown(claim: PersistentVolumeClaim, previous: PersistentVolumeClaim): boolean {
  const isAskedFor = requestOf(claim).compare(requestOf(previous)) > 0;
  return isAskedFor || storageOf(claim.status?.capacity).compare(storageOf(previous.status?.capacity)) > 0;
}

/** It has less than it asks for, or its file system is behind its volume. */
export function isToBeExpanded(claim: PersistentVolumeClaim, { metadata }: PersistentVolume): boolean {
  if (metadata.annotations?.[resizingAnnotations.preResizeCapacity] !== undefined) return true;
  return requestOf(claim).compare(storageOf(claim.status?.capacity)) > 0;
}

/**
 * Tells of claims that are to be expanded; who made the volume expands it.
 *
 * Watches PersistentVolumeClaims and PersistentVolumes. Tells by events on the claim; writes and deletes nothing.
 */
export function createExpander(deps: ControllerDeps): ControllerPart {
  const { informers } = deps;
  const events = deps.recorder("volume_expand");
  const tell = (claim: PersistentVolumeClaim) =>
    events.event(claim, "Normal", "ExternalExpanding", "waiting for an external controller to expand this PVC");
  const claims = informers.informer(persistentVolumeClaims);
  const volumes = informers.informer(persistentVolumes);
  const controller = createController(deps, {
    name: "volume_expand",
    workers: 10,
    backoff: queueBackoff,
    async sync(key) {
      const claim = claims.objects.getByKey(key);
      if (claim === undefined) return undefined;
      const volume = volumes.objects.get({ name: claim.spec?.volumeName ?? "" });
      if (volume === undefined || volume.spec?.claimRef?.uid !== claim.metadata.uid) return { retry: true };
      if (isToBeExpanded(claim, volume)) tell(claim);
      return undefined;
    },
  });
  const keysOf = (claim: PersistentVolumeClaim) => (claim.status?.phase === "Bound" ? [objectKey(claim)] : []);
  controller.watch(claims, keysOf, { isNews: hasGrown });
  return { name: "persistentvolume-expander-controller", run: (signal) => controller.run(signal) };
}
