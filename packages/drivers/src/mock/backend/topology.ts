import { CsiError, type TopologyRequirement } from "@stowage/csi";
import type { Segments } from "./volume.ts";

/**
 * Where a new object is: the first place that is preferred, else the first that is allowed, else this node's. The mock has its
 * storage everywhere, but only under the keys that it was given.
 *
 * @throws CsiError RESOURCE_EXHAUSTED when no place that is asked for has those keys
 */
export function choosePlace(requirement: TopologyRequirement | undefined, own: Segments): Segments[] {
  const keys = Object.keys(own);
  if (keys.length === 0) return [];
  const wished = [...(requirement?.preferred ?? []), ...(requirement?.requisite ?? [])];
  if (wished.length === 0) return [own];
  const place = wished.find(({ segments }) => keys.every((key) => segments[key] !== undefined));
  if (place === undefined)
    throw new CsiError("RESOURCE_EXHAUSTED", `there is storage only in places with the keys ${keys.join(", ")}`);
  return [Object.fromEntries(keys.map((key) => [key, place.segments[key] ?? ""]))];
}

/** Whether what is at the places can be reached as the requirement says. */
export function isReachable(places: readonly Segments[], requirement: TopologyRequirement | undefined): boolean {
  const requisite = requirement?.requisite ?? [];
  if (places.length === 0 || requisite.length === 0) return true;
  return places.some((place) => requisite.some(({ segments }) => isWithinPlace(segments, place)));
}

function isWithinPlace(segments: Segments, place: Segments): boolean {
  return Object.entries(place).every(([key, value]) => segments[key] === value);
}
