import type { ObjectMeta } from "../api/index.ts";
import type { CSIDriverConfig } from "./csi-driver-config.ts";
import type { OperatorSpec, OperatorStatus } from "./operator.ts";

/** Configures the operator of one CSI driver, whose name it has: see `isClusterCSIDriverName`. */
export interface ClusterCSIDriver {
  apiVersion: "operator.openshift.io/v1";
  kind: "ClusterCSIDriver";
  metadata: ObjectMeta;
  spec: ClusterCSIDriverSpec;
  status?: OperatorStatus;
}

/**
 * Empty or `Managed`: the storage classes are kept as they should be. `Unmanaged`: they are left alone. `Removed`: they are deleted,
 * so that no further volumes are made while the driver serves those that exist.
 */
export type StorageClassState = (typeof storageClassStates)[number];

export const storageClassStates = ["", "Managed", "Unmanaged", "Removed"] as const;

export interface ClusterCSIDriverSpec extends OperatorSpec {
  storageClassState?: StorageClassState;
  driverConfig?: CSIDriverConfig;
}
