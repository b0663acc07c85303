import type { CSIStorageCapacity } from "@stowage/machinery";
import { type TopologyTerm, termOf } from "../topology/index.ts";

/** What there is one CSIStorageCapacity for: a class in a place. */
export interface CapacityItem {
  readonly storageClassName: string;
  /** Undefined for an object that we would not have written; it is nobody's. */
  readonly place: TopologyTerm | undefined;
}

export function keyOfItem({ storageClassName, place }: CapacityItem): string {
  return JSON.stringify([storageClassName, place ?? null]);
}

export function itemOfKey(key: string): CapacityItem {
  const [storageClassName, place] = JSON.parse(key) as [string, TopologyTerm | null];
  return { storageClassName, place: place ?? undefined };
}

/** An object that another version of the provisioner wrote for the same item is taken over. */
export function itemOfObject({ storageClassName, nodeTopology }: CSIStorageCapacity): CapacityItem {
  const isOurs = nodeTopology !== undefined && (nodeTopology.matchExpressions ?? []).length === 0;
  return { storageClassName, place: isOurs ? termOf(nodeTopology.matchLabels ?? {}) : undefined };
}
