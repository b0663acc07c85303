import type { Holder } from "./holders.ts";

/** Of each kind; the rest is counted. */
const NAMED = 3;

/** `2 PersistentVolume (a, b), 7 Pod with an inline volume (x/a, x/b, x/c and 4 more)`; always the same for the same holders. */
export function holderText(holders: readonly Holder[]): string {
  const groups = Map.groupBy(holders, ({ what }) => what);
  return [...groups].map(([what, some]) => `${some.length} ${what} (${namesOf(some)})`).join(", ");
}

function namesOf(holders: readonly Holder[]): string {
  const names = holders.map(({ name }) => name).toSorted();
  const more = names.length - NAMED;
  return names.slice(0, NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
