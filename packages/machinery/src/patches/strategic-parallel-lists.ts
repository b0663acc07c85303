import { StowageError } from "../errors/stowage-error.ts";
import { goText } from "../go-text/index.ts";
import { isJsonObject, type JsonValue } from "./json-value.ts";
import type { FieldRule } from "./patch-rules.ts";
import { patchMarker } from "./strategic-directives.ts";
import { keyIn } from "./strategic-list.ts";
import { arrange, positionsOf } from "./strategic-order.ts";
import { StrategicPatchError } from "./strategic-patch-error.ts";

/** `$setElementOrder/containers` is about the list `containers`; undefined when the name is of no such directive. */
export function listNamedBy(directive: string, prefix: string): string | undefined {
  if (!directive.startsWith(prefix)) return undefined;
  const name = directive.slice(prefix.length + 1);
  if (directive[prefix.length] === "/") return name;
  throw new StowageError("MALFORMED_PATCH", `${directive} names no list: write ${prefix}/ and the list's name`);
}

/**
 * What the patch changes must be in the order it asks for, and in that sequence. Deletions need not; other directives count
 * only when nothing in the order follows them, and then the server finds fault with them.
 */
export function checkOrder(change: readonly JsonValue[], order: readonly JsonValue[], rule: FieldRule): void {
  if (change.length === 0 || order.length === 0) return;
  const named = change.filter((item) => !isJsonObject(item) || item[patchMarker] !== "delete");
  let found = 0;
  for (const item of order) {
    while (isMarked(named[found])) found++;
    const next = named[found];
    if (next !== undefined && keyIn(next, rule) === keyIn(item, rule)) found++;
  }
  if (found === named.length) return;
  const problem = `The list ${rule.place.path} of the patch does not follow the order it asks for`;
  const lists = `The order in patch list:\n${goText(named)}\n doesn't match $setElementOrder list:\n${goText([...order])}\n`;
  throw new StrategicPatchError("INVALID_PATCH", problem, lists);
}

function isMarked(item: JsonValue | undefined): boolean {
  return isJsonObject(item) && Object.hasOwn(item, patchMarker);
}

/** The merged list in the order asked for; what the order does not name stays where it was. */
export function arrangeAsAsked(
  merged: readonly JsonValue[],
  order: readonly JsonValue[],
  places: readonly JsonValue[],
  rule: FieldRule,
): JsonValue[] {
  return arrange(merged, {
    keyOf: (item) => keyIn(item, rule),
    wanted: positionsOf(order.map((item) => keyIn(item, rule))),
    before: positionsOf(places),
  });
}

/**
 * The keys of a list as the server remembers them when it then orders it: it merges in place, so that each deletion moves up
 * what follows, and new items take the places that this frees at the end. There they count as having stood before.
 */
export function rememberedPlaces(
  current: readonly JsonValue[],
  change: readonly JsonValue[],
  rule: FieldRule,
): JsonValue[] {
  const places = current.map((item) => keyIn(item, rule));
  if (rule.mergeKey === undefined || !rule.merges) return places;
  let taken = places.length;
  for (const item of change.filter((candidate) => hasDirective(candidate, "delete"))) {
    const deleted = keyIn(item, rule);
    for (let at = places.indexOf(deleted); at >= 0 && at < taken; at = places.indexOf(deleted)) {
      places.copyWithin(at, at + 1, taken);
      taken--;
    }
  }
  if (change.some((item) => hasDirective(item, "replace"))) return places;
  const kept = places.slice(0, taken);
  const added = new Set(change.filter((item) => !isMarked(item)).map((item) => keyIn(item, rule)));
  return [...kept, ...[...added].filter((key) => !kept.includes(key)).slice(0, places.length - taken)];
}

function hasDirective(item: JsonValue, directive: string): boolean {
  return isJsonObject(item) && Object.hasOwn(item, patchMarker) && item[patchMarker] === directive;
}
