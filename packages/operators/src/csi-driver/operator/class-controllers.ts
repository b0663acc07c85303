import { type ClusterCSIDriver, storageClasses } from "@stowage/machinery";
import {
  type OperatorController,
  storageClassController,
  volumeSnapshotClassController,
  withPlaceholders,
} from "@stowage/operator";
import { driverPlaceholders } from "../assets/index.ts";
import type { DriverDeps, DriverParticulars } from "./driver-deps.ts";

/** The classes that users see, where the driver has any. */
export function classControllers(
  deps: DriverDeps,
  { profile, assets, hooks }: DriverParticulars,
): OperatorController[] {
  const manifestHooks = [withPlaceholders(driverPlaceholders(profile))];
  return [
    ...(assets.storageClasses.length === 0
      ? []
      : [
          storageClassController<ClusterCSIDriver>(
            { ...deps, informer: deps.informers.informer(storageClasses) },
            {
              assets: assets.storageClasses,
              manifestHooks,
              hooks: hooks.storageClassHooks,
              whenRemoved: profile.isRemovable ? "delete" : "leave",
            },
          ),
        ]),
    ...(assets.snapshotClasses.length === 0
      ? []
      : [
          volumeSnapshotClassController<ClusterCSIDriver>(deps, {
            assets: assets.snapshotClasses,
            manifestHooks,
            hooks: hooks.snapshotClassHooks,
          }),
        ]),
  ];
}
