import type { PersistentVolumeClaim, StorageClass } from "@stowage/machinery";
import { provisionerOf, selectedNodeOf, specOf } from "../requests/index.ts";

export type ClaimStanding =
  /** It has a volume, or was promised one. */
  | "bound"
  /** Another driver's, or none's. */
  | "foreign"
  | "classMissing"
  /** No Pod uses it yet. */
  | "waitsForNode"
  /** To be provisioned, here and now. */
  | "ours";

export function claimStanding(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass | undefined,
  driverName: string,
): ClaimStanding {
  if (specOf(claim).volumeName) return "bound";
  if (provisionerOf(claim) !== driverName) return "foreign";
  if (storageClass === undefined) return "classMissing";
  // Kubernetes has asked this driver, but the class has been made anew since, for another.
  if (storageClass.provisioner !== driverName) return "foreign";
  const isLate = storageClass.volumeBindingMode === "WaitForFirstConsumer";
  return isLate && selectedNodeOf(claim) === undefined ? "waitsForNode" : "ours";
}
