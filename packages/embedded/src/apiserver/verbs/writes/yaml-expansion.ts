/** So many values may be aliases whatever else there is; then fewer and fewer, down to the last share. As the real server counts. */
const bounds = { least: 100, few: 400_000, many: 4_000_000, shareOfFew: 0.99, shareOfMany: 0.1 };

/**
 * Whether aliases make far more of a document than was written: read as JSON it would fill the memory. One that contains itself
 * never ends, and is found by the same count.
 */
export function isExcessivelyAliased(document: unknown): boolean {
  const seen = new Set<object>();
  const left: { readonly value: unknown; readonly isAlias: boolean }[] = [{ value: document, isAlias: false }];
  let [all, aliases] = [0, 0];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value } = next;
    const isObject = typeof value === "object" && value !== null;
    const isAlias = next.isAlias || (isObject && seen.has(value));
    all += 1;
    if (isAlias) aliases += 1;
    if (all > bounds.least && aliases / all > allowedShare(all)) return true;
    if (!isObject) continue;
    seen.add(value);
    for (const each of Object.values(value)) left.push({ value: each, isAlias });
  }
  return false;
}

function allowedShare(all: number): number {
  const { few, many, shareOfFew, shareOfMany } = bounds;
  if (all <= few) return shareOfFew;
  if (all >= many) return shareOfMany;
  return shareOfFew - ((shareOfFew - shareOfMany) * (all - few)) / (many - few);
}
