import { type Controller, createController, type Informer, objectKey } from "@stowage/kube";
import {
  type KubernetesObject,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  type StorageClass,
  storageClasses,
} from "@stowage/machinery";
import { type ControllerDeps, type ControllerPart, queueBackoff, retryOnConflict } from "../../kit/index.ts";
import { classOfClaim, defaultClass, hasClass } from "../classes.ts";
import { LatestObjects } from "../latest-objects.ts";
import { podsByClaim } from "../pod-volumes.ts";
import type { Binding } from "./binding.ts";
import { syncClaim } from "./claim-sync.ts";
import { claimKeyOf, syncVolume } from "./volume-sync.ts";

/** Claims that nothing fits are told so again this often, and find what has come in the meantime. */
const RESYNC_MS = 15_000;

/**
 * Binds claims to volumes, and reclaims volumes whose claim is gone.
 *
 * Watches PersistentVolumeClaims, PersistentVolumes, StorageClasses and Pods. Writes the claim into the volume and the volume into the
 * claim, the phases of both, what a claim has of its volume, which provisioner is to make one, and the default class into claims that
 * came before there was one. Deletes nothing: volumes that are to be deleted are left to who made them.
 */
export function createVolumeBinder(deps: ControllerDeps): ControllerPart {
  const { informers } = deps;
  const copies = {
    claims: informers.informer(persistentVolumeClaims),
    volumes: informers.informer(persistentVolumes),
    classes: informers.informer(storageClasses),
    pods: informers.informer(pods),
  };
  copies.pods.addIndex(podsByClaim.name, podsByClaim.valuesOf);
  const { classes, pods: podCopies } = copies;
  const b: Binding = {
    client: deps.client,
    events: deps.recorder("persistentvolume-controller"),
    claims: new LatestObjects(),
    volumes: new LatestObjects(),
    classes,
    pods: podCopies,
  };
  const claims: Controller = createController(deps, {
    ...queue("claims"),
    sync: retryOnConflict(async (key) => {
      const { known, gone } = look(copies.claims, b.claims, key);
      if (gone?.spec?.volumeName) volumes.queue.add(gone.spec.volumeName);
      if (known !== undefined) await syncClaim(b, known);
    }),
  });
  const volumes: Controller = createController(deps, {
    ...queue("volumes"),
    sync: retryOnConflict(async (name) => {
      const { known, gone } = look(copies.volumes, b.volumes, name);
      const awaiting = known === undefined ? [] : await syncVolume(b, known);
      for (const key of [gone && claimKeyOf(gone), ...awaiting]) if (key !== undefined) claims.queue.add(key);
    }),
  });
  claims.watch(copies.claims);
  volumes.watch(copies.volumes);
  classes.addHandler({
    onAdd(storageClass, { isInInitialList }) {
      if (!isInInitialList) for (const key of claimsOfClass(b, storageClass)) claims.queue.add(key);
    },
  });
  return {
    name: "persistentvolume-binder-controller",
    async run(signal) {
      b.claims.fill(copies.claims);
      b.volumes.fill(copies.volumes);
      await Promise.all([claims.run(signal), volumes.run(signal)]);
    },
  };
}

/** Claims that may have waited for the class to come. */
function claimsOfClass({ claims }: Binding, storageClass: StorageClass): string[] {
  const byDefault = defaultClass([storageClass]) !== undefined;
  const isWaiting = (claim: PersistentVolumeClaim) =>
    !claim.spec?.volumeName && (hasClass(claim) ? classOfClaim(claim) === storageClass.metadata.name : byDefault);
  return claims.list().filter(isWaiting).map(objectKey);
}

/** One worker each: two claims that are looked at at once would choose the same volume. */
function queue(name: string) {
  return { name, workers: 1, backoff: queueBackoff, resyncMs: RESYNC_MS };
}

/**
 * What is to be synced, and what was there under this name before, when that is gone: both, when it was made anew before anybody looked.
 * Neither: the watch is behind what was written here, and will come.
 */
function look<T extends KubernetesObject>(
  { objects }: Informer<T>,
  latest: LatestObjects<T>,
  key: string,
): { known?: T | undefined; gone?: T | undefined } {
  const known = objects.getByKey(key);
  const before = latest.getByKey(key);
  const gone = before?.metadata.uid === known?.metadata.uid ? undefined : before;
  if (known === undefined) latest.forget(key);
  else if (!latest.take(known)) return {};
  return { known, gone };
}
