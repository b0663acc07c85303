import type { ObjectMeta } from "../api/index.ts";
import type { OperatorSpec, OperatorStatus } from "./operator.ts";

/** Configures the cluster storage operator. There is one, named `cluster`. */
export interface Storage {
  apiVersion: "operator.openshift.io/v1";
  kind: "Storage";
  metadata: ObjectMeta;
  spec: StorageSpec;
  status?: OperatorStatus;
}

export interface StorageSpec extends OperatorSpec {
  /** Deprecated: there is nothing left to choose. The legacy value exists and is refused. */
  vsphereStorageDriver?: VSphereStorageDriver;
}

export type VSphereStorageDriver = (typeof vsphereStorageDrivers)[number];

export const vsphereStorageDrivers = ["", "LegacyDeprecatedInTreeDriver", "CSIWithMigrationDriver"] as const;
