import type { ResourceTag } from "@stowage/machinery";
import { ownedLabel, ownedTag } from "../csi-driver/hooks/cloud-labels.ts";
import type { CloudVolume } from "./volume-cloud.ts";

/**
 * Clouds take stars and question marks in a filter for any letters, so an id has none. What infrastructures and hosted clusters
 * are called has letters, digits and dashes; dots and underscores are for clusters that somebody named by hand.
 */
const CLUSTER_ID = /^[A-Za-z0-9]([-._A-Za-z0-9]{0,61}[A-Za-z0-9])?$/u;

export function isClusterId(text: string): boolean {
  return CLUSTER_ID.test(text);
}

/** Of clouds that have no way of their own. Drivers write the second where keys may have no slashes. */
export function usualMarks(clusterId: string): ResourceTag[] {
  return [ownedTag(clusterId), ownedLabel(clusterId)];
}

/** `shared` is what other clusters use too: only the exact value counts. */
export function isOwned({ tags }: Pick<CloudVolume, "tags">, marks: readonly ResourceTag[]): boolean {
  return marks.some(({ key, value }) => Object.hasOwn(tags, key) && tags[key] === value);
}
