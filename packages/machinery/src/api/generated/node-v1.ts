// Generated from packages/machinery/openapi by `npm run generate`. Do not edit.

import type { Toleration } from "./core-v1.ts";
import type { ListMeta, ObjectMeta, QuantityString } from "./meta-v1.ts";

/** Overhead structure represents the resource overhead associated with running a pod. */
export interface Overhead {
  /** podFixed represents the fixed resource overhead associated with running a pod. */
  podFixed?: Record<string, QuantityString>;
}

/** RuntimeClass defines a class of container runtime supported in the cluster. */
export interface RuntimeClass {
  apiVersion: "node.k8s.io/v1";
  kind: "RuntimeClass";
  metadata: ObjectMeta;
  /**
   * handler specifies the underlying runtime and configuration that the CRI implementation will use to handle pods of
   * this class.
   */
  handler: string;
  /** overhead represents the resource overhead associated with running a pod for a given RuntimeClass. */
  overhead?: Overhead;
  /**
   * scheduling holds the scheduling constraints to ensure that pods running with this RuntimeClass are scheduled to
   * nodes that support it.
   */
  scheduling?: Scheduling;
}

/** RuntimeClassList is a list of RuntimeClass objects. */
export interface RuntimeClassList {
  apiVersion: "node.k8s.io/v1";
  kind: "RuntimeClassList";
  /** Standard list metadata. */
  metadata: ListMeta;
  /** items is a list of schema objects. */
  items: RuntimeClass[];
}

/** Scheduling specifies the scheduling constraints for nodes supporting a RuntimeClass. */
export interface Scheduling {
  /** nodeSelector lists labels that must be present on nodes that support this RuntimeClass. */
  nodeSelector?: Record<string, string>;
  /**
   * tolerations are appended (excluding duplicates) to pods running with this RuntimeClass during admission,
   * effectively unioning the set of nodes tolerated by the pod and the RuntimeClass.
   */
  tolerations?: Toleration[];
}
