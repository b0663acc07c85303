interface Tallied {
  readonly verb: string;
  readonly resource: string;
  readonly status: number;
}

/** `2000 create events, 1000 create persistentvolumes`, most first; what was refused is told apart. */
export function tally(requests: readonly Tallied[]): string {
  const counts = new Map<string, number>();
  for (const { verb, resource, status } of requests) {
    const name = `${verb} ${resource}${status >= 400 ? ` (${status})` : ""}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return tallyText(counts);
}

export function tallyText(counts: ReadonlyMap<string, number>): string {
  const most = [...counts].toSorted(([, a], [, b]) => b - a);
  return most.length === 0 ? "nothing" : most.map(([name, count]) => `${count} ${name}`).join(", ");
}
