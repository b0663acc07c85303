import type { TopologySelectorTerm } from "@stowage/machinery";
import { type TopologyTerm, termOf } from "./topology-term.ts";

/**
 * The places that a StorageClass allows, each written out: `zone in (a, b), rack in (1, 2)` is four places. What allows nothing in
 * particular, such as an entry without expressions, gives none.
 */
export function flattenAllowedTopologies(allowed: readonly TopologySelectorTerm[]): TopologyTerm[] {
  return allowed.flatMap(({ matchLabelExpressions = [] }) => {
    if (matchLabelExpressions.length === 0) return [];
    let combinations: Record<string, string>[] = [{}];
    for (const { key, values } of matchLabelExpressions) {
      combinations = combinations.flatMap((segments) => values.map((value) => ({ ...segments, [key]: value })));
    }
    return combinations.map(termOf);
  });
}
