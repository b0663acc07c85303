import { isJsonObject, type JsonValue } from "../patches/json-value.ts";
import { FieldSet } from "./field-set.ts";
import { type PathElement, parsePathElement } from "./path-element.ts";

/** `fieldsV1`: a tree of path elements. `.` says that a field belongs to the set that also has fields below it. */
export interface FieldsV1 {
  readonly [element: string]: FieldsV1;
}

export function encodeFields(set: FieldSet): FieldsV1 {
  const fields: Record<string, FieldsV1> = {};
  for (const { element, isMember, children } of set.nodes()) {
    const below = children === undefined ? {} : encodeFields(children);
    fields[element.id] = isMember && children !== undefined ? { ".": {}, ...below } : below;
  }
  return fields;
}

/** Elements of a kind that nobody knows yet are dropped; what is no field set at all is a SyntaxError. */
export function decodeFields(fields: unknown): FieldSet {
  return decoded(fields as JsonValue).children ?? FieldSet.empty;
}

interface Decoded {
  readonly isMember: boolean;
  readonly children: FieldSet | undefined;
}

function decoded(fields: JsonValue): Decoded {
  if (fields === null) return { isMember: true, children: undefined };
  if (!isJsonObject(fields)) throw new SyntaxError("a field set is made of objects");
  const nodes = new Map<string, { element: PathElement } & Decoded>();
  let isNamed = false;
  for (const [key, below] of Object.entries(fields)) {
    if (key === ".") isNamed = true;
    else {
      const element = parsePathElement(key);
      if (element !== undefined) nodes.set(element.id, { element, ...decoded(below) });
    }
  }
  const children = FieldSet.fromNodes(nodes.values());
  return { isMember: isNamed || children.isEmpty, children: children.isEmpty ? undefined : children };
}
