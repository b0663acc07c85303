import type { PlatformType } from "@stowage/machinery";
import type { ClusterFacts, OperatorController } from "@stowage/operator";
import type { StorageOperatorContext } from "../storage-operator-context.ts";

/** A driver's operator as the storage operator sees it: data alone, so that another driver is another entry and a folder. */
export interface DriverOperatorEntry {
  /** Of its folder of assets, and the argument of `stowage driver-operator`. */
  readonly id: string;
  /** Of the CSI driver, and so of its ClusterCSIDriver. */
  readonly driverName: string;
  /** `OpenStackCinder`: what conditions about this driver begin with. Another one leaves the old conditions behind. */
  readonly conditionPrefix: string;
  /** Of its Deployment, ServiceAccount and ConfigMap: `openstack-cinder-csi-driver-operator`. */
  readonly operatorName: string;
  readonly platform: PlatformType | "AllPlatforms";
  /** For what the platform alone does not tell. `isInstalled`: there is a ClusterCSIDriver, whoever made it. */
  readonly statusFilter?: (facts: ClusterFacts, isInstalled: boolean) => boolean;
  /** Everything about the operator that is applied; see `driver-assets.ts`. */
  readonly assets: URL;
  /** Placeholders of its Deployment, and the variable of our own environment that each comes from. None may be missing. */
  readonly images: Readonly<Record<string, string>>;
  /** The driver may say that this cloud has nothing for it, and storage is well all the same. */
  readonly allowsDisabled?: boolean;
  /** Run beside the others once the driver is started. */
  readonly ownControllers?: (context: StorageOperatorContext) => readonly OperatorController[];
}
