/** A place in the cluster: labels that a node there has, by key. */
export type Segments = Readonly<Record<string, string>>;

/** The same place as pairs sorted by key, so that two can be compared. All pairs must hold. */
export type TopologyTerm = readonly (readonly [key: string, value: string])[];

export function termOf(segments: Segments): TopologyTerm {
  return Object.entries(segments).toSorted(comparePairs);
}

export function segmentsOf(term: TopologyTerm): Record<string, string> {
  return Object.fromEntries(term);
}

/** Undefined when the labels lack one of the keys. */
export function termFromLabels(labels: Segments, keys: readonly string[]): TopologyTerm | undefined {
  if (!keys.every((key) => Object.hasOwn(labels, key))) return undefined;
  return termOf(Object.fromEntries(keys.map((key) => [key, labels[key] ?? ""])));
}

/** The places of nodes with all the keys, each once. Clusters have many nodes in few places: terms are made for places alone. */
export function distinctTerms(labelsOfNodes: Iterable<Segments>, keys: readonly string[]): TopologyTerm[] {
  const terms = new Map<string, TopologyTerm>();
  for (const labels of labelsOfNodes) {
    // No label has a line break in it.
    const id = keys.map((key) => labels[key]).join("\n");
    if (terms.has(id)) continue;
    const term = termFromLabels(labels, keys);
    if (term !== undefined) terms.set(id, term);
  }
  return [...terms.values()];
}

/** Whether everything that `term` asks for holds at `place`. */
export function holdsAt(term: TopologyTerm, place: TopologyTerm): boolean {
  const segments = new Map(place);
  return term.every(([key, value]) => segments.get(key) === value);
}

/** For maps and sets: equal for equal terms. */
export function termKey(term: TopologyTerm): string {
  return JSON.stringify(term);
}

/** Shorter terms first, then by keys and values: the order in which StatefulSets are spread, so it must not change. */
export function sortedTerms(terms: readonly TopologyTerm[]): TopologyTerm[] {
  return [...new Map(terms.map((term) => [termKey(term), term])).values()].toSorted(compareTerms);
}

function compareTerms(a: TopologyTerm, b: TopologyTerm): number {
  if (a.length !== b.length) return a.length - b.length;
  for (const [index, pair] of a.entries()) {
    const order = comparePairs(pair, b[index] ?? pair);
    if (order !== 0) return order;
  }
  return 0;
}

function comparePairs(a: readonly [string, string], b: readonly [string, string]): number {
  return compareTexts(a[0], b[0]) || compareTexts(a[1], b[1]);
}

// Not localeCompare: the order must not depend on the machine's language.
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
