import type { JsonValue } from "../../patches/json-value.ts";
import { equalJson } from "../../patches/json-value.ts";
import { ruleTree } from "../cel/rule-tree.ts";
import { ruleErrors } from "../cel/rule-validator.ts";
import { type FieldError, invalid } from "../errors/field-error.ts";
import { child, keyed } from "../errors/field-path.ts";
import { embeddedErrors } from "../metadata/embedded-resources.ts";
import { Correlation } from "../schema/correlation.ts";
import { pruneValue } from "../schema/pruning.ts";
import type { SchemaNode } from "../schema/schema-node.ts";
import { findingErrors } from "../values/value-result.ts";
import { checkValue } from "../values/value-validator.ts";

/** What is wrong with the defaults in a schema: each has to be a value that the schema takes as it is. */
export function defaultErrors(node: SchemaNode, path: string): FieldError[] {
  return [
    ...(node.default === undefined ? [] : errorsOf(node.default, node, child(path, "default"))),
    ...(node.items === undefined ? [] : defaultErrors(node.items, child(path, "items"))),
    ...[...node.properties].flatMap(([name, property]) =>
      defaultErrors(property, keyed(child(path, "properties"), name)),
    ),
  ];
}

function errorsOf(value: JsonValue, node: SchemaNode, path: string): FieldError[] {
  const pruned = structuredClone(value);
  pruneValue(pruned, node);
  const unknown = equalJson(pruned, value) ? [] : [invalid(path, value, "must not have unknown fields")];
  const embedded = embeddedErrors(value, node, path);
  if (embedded.length > 0) return [...unknown, ...embedded];
  const ofValue = findingErrors(path, checkValue(value, node, ""));
  return [...unknown, ...(ofValue.length > 0 ? ofValue : errorsOfRules(value, node, path))];
}

/** A default is both the new value and the old one, so that rules about changes hold too. */
function errorsOfRules(value: JsonValue, node: SchemaNode, path: string): FieldError[] {
  const tree = ruleTree(node, false);
  if (tree === undefined) return [];
  const asUnchanged = ruleErrors(tree, value, undefined, path);
  if (asUnchanged.length > 0) return asUnchanged;
  return ruleErrors(tree, value, new Correlation(value, value, node), path);
}
