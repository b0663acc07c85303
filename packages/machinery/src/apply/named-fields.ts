import { FieldSet } from "./field-set.ts";
import type { PathElement } from "./path-element.ts";
import type { TypedSchema } from "./typed-schema.ts";

/**
 * The set, and every field of a struct that leads to something in it. Such fields are owned by nobody, so that to find what an
 * applier no longer has, they must be counted in.
 */
export function withNamedFields(set: FieldSet, type: TypedSchema | undefined): FieldSet {
  return FieldSet.fromNodes(
    set.nodes().map(({ element, isMember, children }) => ({
      element,
      isMember: isMember || (children !== undefined && isNamed(element, type)),
      children: children && withNamedFields(children, typeBelow(element, type)),
    })),
  );
}

function isNamed(element: PathElement, type: TypedSchema | undefined): boolean {
  return element.kind === "field" && (type?.map?.fields.has(element.name) ?? false);
}

function typeBelow(element: PathElement, type: TypedSchema | undefined): TypedSchema | undefined {
  if (element.kind === "field") return (type?.map?.fields.get(element.name)?.type ?? type?.map?.values)?.();
  return element.kind === "key" ? type?.list?.item() : undefined;
}
