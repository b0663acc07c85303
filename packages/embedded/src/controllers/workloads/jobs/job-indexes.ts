import type { Pod } from "@stowage/machinery";

export const INDEX_KEY = "batch.kubernetes.io/job-completion-index";

/** The completion index that the Pod works on; undefined when it has none. */
export function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[INDEX_KEY] ?? "";
  return /^\d+$/u.test(text) ? Number(text) : undefined;
}

/** `1,3-5,7`: those that are not beyond the completions. */
export function parseIndexes(text: string | undefined, completions: number): Set<number> {
  const indexes = new Set<number>();
  for (const part of (text ?? "").split(",")) {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/u.exec(part) ?? [];
    if (first === undefined) continue;
    for (let index = Number(first); index <= Number(last) && index < completions; index++) indexes.add(index);
  }
  return indexes;
}

/** Two in a row are written one by one, three and more as a range. */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const parts: string[] = [];
  const sorted = [...indexes].toSorted((a, b) => a - b);
  for (let at = 0; at < sorted.length; ) {
    let end = at;
    while (sorted[end + 1] === (sorted[end] ?? 0) + 1) end++;
    if (end > at) parts.push([sorted[at], sorted[end]].join(end === at + 1 ? "," : "-"));
    else parts.push(String(sorted[at]));
    at = end + 1;
  }
  return parts.join(",");
}

/** The first so many that nobody works on and that are not done. */
export function pendingIndexes(taken: ReadonlySet<number>, count: number, completions: number): number[] {
  const pending: number[] = [];
  for (let index = 0; index < completions && pending.length < count; index++) {
    if (!taken.has(index)) pending.push(index);
  }
  return pending;
}
