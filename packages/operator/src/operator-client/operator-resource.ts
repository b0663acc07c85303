import type { KubernetesObject, OperatorSpec, OperatorStatus } from "@stowage/machinery";

/** What operators are configured by and report to: `Storage`, `ClusterCSIDriver`. */
export interface OperatorResource extends KubernetesObject {
  spec?: OperatorSpec;
  status?: OperatorStatus;
}
