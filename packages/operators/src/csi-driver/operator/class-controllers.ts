import { type ClusterCSIDriver, type StorageClass, storageClasses } from "@stowage/machinery";
import {
  type OperatorController,
  type OperatorWatch,
  operatorFinalizer,
  storageClassController,
  volumeSnapshotClassController,
  withPlaceholders,
} from "@stowage/operator";
import { driverPlaceholders } from "../assets/index.ts";
import type { DriverHooks } from "../driver-profile.ts";
import type { DriverCopies } from "./driver-copies.ts";
import type { DriverDeps, DriverParticulars } from "./driver-deps.ts";

/** The classes that users see, where the driver has any. On removal, where the driver can go at all, they go. */
export function storageClassControllers(
  deps: DriverDeps,
  { profile, assets, hooks, copies }: DriverParticulars,
): OperatorController[] {
  if (assets.storageClasses.length === 0) return [];
  return [
    storageClassController<ClusterCSIDriver>(
      { ...deps, informer: deps.informers.informer(storageClasses) },
      {
        assets: assets.storageClasses,
        manifestHooks: [withPlaceholders(driverPlaceholders(profile))],
        hooks: hooks.storageClassHooks,
        ...wantedClasses(hooks, copies),
        watches: watchesOf(hooks.storageClassHooks ?? hooks.wantsStorageClass, copies),
        ...(profile.isRemovable && {
          whenRemoved: "delete",
          finalizer: operatorFinalizer(profile.operatorName, "StorageClassController"),
        }),
      },
    ),
  ];
}

/** Likewise of snapshots. */
export function snapshotClassControllers(
  deps: DriverDeps,
  { profile, assets, hooks, copies }: DriverParticulars,
): OperatorController[] {
  if (assets.snapshotClasses.length === 0) return [];
  const finalizer = operatorFinalizer(profile.operatorName, "VolumeSnapshotClassController");
  return [
    volumeSnapshotClassController<ClusterCSIDriver>(deps, {
      assets: assets.snapshotClasses,
      manifestHooks: [withPlaceholders(driverPlaceholders(profile))],
      hooks: hooks.snapshotClassHooks,
      watches: watchesOf(hooks.snapshotClassHooks, copies),
      ...(profile.isRemovable && { removal: { apply: deps, finalizer } }),
    }),
  ];
}

/** Where classes depend on the cluster, it is looked at whenever what is known of it changes. */
function wantedClasses({ wantsStorageClass }: DriverHooks, { facts }: DriverCopies) {
  if (wantsStorageClass === undefined) return {};
  return {
    isWanted: async (storageClass: StorageClass, signal: AbortSignal) =>
      wantsStorageClass(storageClass, await facts.current(signal)),
  };
}

/** Where classes depend on the cluster, it is looked at whenever what is known of it changes. */
function watchesOf(dependent: unknown, { facts }: DriverCopies): OperatorWatch[] {
  return dependent === undefined ? [] : [facts];
}
