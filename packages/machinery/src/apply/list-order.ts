import type { PathElement } from "./path-element.ts";

/** One item of a merged list: from what is applied, perhaps over a live one, or a live one that is not applied. */
interface MergedItem {
  readonly element: PathElement;
  readonly isApplied: boolean;
  readonly livePosition: number;
}

/**
 * The order of a merged list. Items that are applied keep the order in which they are applied; the others stay behind the live
 * items that they stood behind.
 */
export function mergeOrder(live: readonly PathElement[], applied: readonly PathElement[]): MergedItem[] {
  const liveIds = new Set(live.map(({ id }) => id));
  const appliedIds = new Set(applied.map(({ id }) => id));
  const shared = applied.map(({ id }) => id).filter((id) => liveIds.has(id));
  const merged: MergedItem[] = [];
  const done = new Set<string>();
  let livePosition = 0;
  let appliedPosition = 0;
  const take = (element: PathElement): void => {
    merged.push({ element, isApplied: true, livePosition });
    done.add(element.id);
    appliedPosition++;
    if (shared[0] === element.id) shared.shift();
  };

  while (livePosition < live.length || appliedPosition < applied.length) {
    const ours = live[livePosition];
    const theirs = applied[appliedPosition];
    if (ours !== undefined && ours.id === theirs?.id) {
      take(theirs);
      livePosition++;
    } else if (ours !== undefined && !appliedIds.has(ours.id)) {
      merged.push({ element: ours, isApplied: false, livePosition });
      livePosition++;
    } else if (ours !== undefined && theirs !== undefined && shared.length > 0 && shared[0] !== ours.id) {
      // It has its turn later, or had it: the applied order decides.
      livePosition++;
    } else {
      if (ours !== undefined && done.has(ours.id)) livePosition++;
      if (theirs !== undefined) take(theirs);
    }
  }
  return merged;
}
