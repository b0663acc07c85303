import { type FieldSet, FieldSetBuilder } from "./field-set.ts";
import type { Path, PathElement } from "./path-element.ts";
import type { ListSchema, MapSchema, TypedSchema } from "./typed-schema.ts";

/**
 * Brings what a manager owns in line with a schema that has changed since: where a list or map has become atomic, whoever owned
 * something in it owns it as a whole. The other way round nothing is done: an atomic field that was owned stays owned.
 */
export function reconciledWithSchema(type: TypedSchema, set: FieldSet): FieldSet {
  const atomic = new FieldSetBuilder();
  reconcile(atomic, type, { set, isWhole: false, path: [] });
  const paths = atomic.build();
  return paths.isEmpty ? set : set.recursiveDifference(paths).union(paths);
}

interface Owned {
  readonly set: FieldSet;
  /** It is owned, and nothing below it is. */
  readonly isWhole: boolean;
  readonly path: Path;
}

function reconcile(atomic: FieldSetBuilder, type: TypedSchema, owned: Owned): void {
  if (type.map !== undefined) reconcileMap(atomic, type.map, owned);
  else if (type.scalar === undefined && type.list !== undefined) reconcileList(atomic, type.list, owned);
}

function reconcileMap(atomic: FieldSetBuilder, map: MapSchema, owned: Owned): void {
  if (map.isDeduced) return;
  if (!owned.isWhole && map.isAtomic) {
    if (!owned.set.isEmpty) atomic.insert(owned.path);
    return;
  }
  reconcileBelow(atomic, owned, (element) => {
    const field = element.kind === "field" ? map.fields.get(element.name) : undefined;
    return (field?.type ?? map.values)?.();
  });
}

function reconcileList(atomic: FieldSetBuilder, list: ListSchema, owned: Owned): void {
  if (!owned.isWhole && list.isAtomic) atomic.insert(owned.path);
  else reconcileBelow(atomic, owned, list.item);
}

function reconcileBelow(
  atomic: FieldSetBuilder,
  owned: Owned,
  typeOf: (element: PathElement) => TypedSchema | undefined,
): void {
  for (const { element, isMember, children } of owned.set.nodes()) {
    const type = typeOf(element);
    if (type === undefined) continue;
    const isWhole = isMember && children === undefined;
    reconcile(atomic, type, { set: owned.set.below(element), isWhole, path: [...owned.path, element] });
  }
}
