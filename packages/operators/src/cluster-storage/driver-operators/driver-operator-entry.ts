import type { Deployment, PlatformType } from "@stowage/machinery";
import type { ClusterFacts, Environment, OperatorController, WorkloadHook } from "@stowage/operator";
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
  /** Nobody needs it: it is started when somebody has made its ClusterCSIDriver, and that is never made for them. */
  readonly isOptional?: boolean;
  /** For what the platform alone does not tell. `isInstalled`: there is a ClusterCSIDriver, whoever made it. */
  readonly statusFilter?: (facts: ClusterFacts, isInstalled: boolean) => boolean;
  /** Everything about the operator that is applied; see `driver-assets.ts`. */
  readonly assets: URL;
  /** Placeholders of its Deployment, and the variable of our own environment that each comes from. None may be missing. */
  readonly images: Readonly<Record<string, string>>;
  /** Variables that the driver's operator gets as we have them, and empty where we have none: identities of workloads, versions. */
  readonly handsOn?: readonly string[];
  /** The driver may say that this cloud has nothing for it, and storage is well all the same. */
  readonly allowsDisabled?: boolean;
  /** What is its own beside a hosted control plane. Whether it runs there at all is for the driver's profile to say. */
  readonly hosted?: HostedOperatorEntry;
  /** Run beside the others once the driver is started. */
  readonly ownControllers?: (context: StorageOperatorContext) => readonly OperatorController[];
}

export interface HostedOperatorEntry {
  /** Like those of the entry, and beside them. */
  readonly handsOn?: readonly string[];
  /** How the operator itself gets into the cloud from there, by our own environment. */
  readonly hooks?: (env: Environment) => readonly WorkloadHook<Deployment>[];
}
