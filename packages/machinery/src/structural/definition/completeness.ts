import type { JSONSchemaProps } from "../../api/index.ts";
import { type FieldError, required } from "../errors/field-error.ts";
import { child, indexed, keyed } from "../errors/field-path.ts";

/** What a choice says of a field must be about a field that the schema around it has. Choices are looked for at the root alone. */
export function completenessErrors(schema: JSONSchemaProps, path: string): FieldError[] {
  return choicesComplete(schema, schema, { at: path, from: path });
}

/** Where the schema is, and where the choice is that speaks of it. */
interface Paths {
  readonly at: string;
  readonly from: string;
}

function choicesComplete(value: JSONSchemaProps, schema: JSONSchemaProps, { at, from }: Paths): FieldError[] {
  const { not, allOf = [], anyOf = [], oneOf = [] } = value;
  const each = (name: string, parts: readonly JSONSchemaProps[]) =>
    parts.flatMap((part, index) => nestedComplete(part, schema, { at, from: indexed(child(from, name), index) }));
  return [
    ...(not === undefined ? [] : nestedComplete(not, schema, { at, from: child(from, "not") })),
    ...each("allOf", allOf),
    ...each("anyOf", anyOf),
    ...each("oneOf", oneOf),
  ];
}

function nestedComplete(value: JSONSchemaProps, schema: JSONSchemaProps | undefined, paths: Paths): FieldError[] {
  const { at, from } = paths;
  if (schema === undefined) return [required(at, `because it is defined in ${from}`)];
  const items = single(value.items);
  return [
    ...choicesComplete(value, schema, paths),
    ...(items === undefined
      ? []
      : nestedComplete(items, single(schema.items), { at: child(at, "items"), from: child(from, "items") })),
    ...Object.entries(value.properties ?? {}).flatMap(([name, property]) =>
      nestedComplete(property, schema.properties?.[name], {
        at: keyed(child(at, "properties"), name),
        from: keyed(child(from, "properties"), name),
      }),
    ),
  ];
}

function single(items: JSONSchemaProps["items"]): JSONSchemaProps | undefined {
  return Array.isArray(items) ? undefined : items;
}
