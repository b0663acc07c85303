import type { ObjectMeta } from "../api/index.ts";
import type { OperatorCondition } from "./operator.ts";

/** How one part of the platform is, for people and for whoever upgrades the cluster. */
export interface ClusterOperator {
  apiVersion: "config.openshift.io/v1";
  kind: "ClusterOperator";
  metadata: ObjectMeta;
  /** Always empty, and must be there. */
  spec: Record<string, never>;
  status?: ClusterOperatorStatus;
}

export interface ClusterOperatorStatus {
  /** By type. */
  conditions?: OperatorCondition[];
  /** Of the operator (under the name `operator`) and its operands. */
  versions?: OperandVersion[];
  /** What to look at when something is wrong, and what to gather for support. */
  relatedObjects?: RelatedObject[];
  extension?: Record<string, unknown> | null;
}

export interface OperandVersion {
  name: string;
  version: string;
}

export interface RelatedObject {
  group: string;
  resource: string;
  namespace?: string;
  /** Empty: all of them. */
  name: string;
}
