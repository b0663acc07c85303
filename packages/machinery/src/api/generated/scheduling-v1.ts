// Generated from packages/machinery/openapi by `npm run generate`. Do not edit.

import type { ListMeta, ObjectMeta } from "./meta-v1.ts";

/** PriorityClass defines mapping from a priority class name to the priority integer value. */
export interface PriorityClass {
  apiVersion: "scheduling.k8s.io/v1";
  kind: "PriorityClass";
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** description is an arbitrary string that usually provides guidelines on when this priority class should be used. */
  description?: string;
  /**
   * globalDefault specifies whether this PriorityClass should be considered as the default priority for pods that do
   * not have any priority class.
   */
  globalDefault?: boolean;
  /** preemptionPolicy is the Policy for preempting pods with lower priority. */
  preemptionPolicy?: "Never" | "PreemptLowerPriority";
  /** value represents the integer value of this priority class. */
  value?: number;
}

/** PriorityClassList is a collection of priority classes. */
export interface PriorityClassList {
  apiVersion: "scheduling.k8s.io/v1";
  kind: "PriorityClassList";
  /** Standard list metadata */
  metadata: ListMeta;
  /** items is the list of PriorityClasses */
  items: PriorityClass[];
}
