import type { JsonValue } from "../../patches/json-value.ts";
import type { Correlation } from "../schema/correlation.ts";
import type { SchemaNode } from "../schema/schema-node.ts";
import { ValueResult } from "./value-result.ts";
import { checkValue, type PartChecks } from "./value-validator.ts";

/** Checks an object that is updated: what is wrong but was so before, and has not been touched, is let through. */
export function checkUpdate(node: SchemaNode, path: string, correlation: Correlation): ValueResult {
  return forgiving(correlation.value, node, path, correlation);
}

function forgiving(value: JsonValue, node: SchemaNode, path: string, correlation: Correlation): ValueResult {
  const result = checkValue(value, node, path, partChecks(correlation, path));
  return result.isValid || !correlation.isUnchanged ? result : new ValueResult();
}

function partChecks(correlation: Correlation, parentPath: string): PartChecks {
  return {
    field(name, value, node, path) {
      const isTypeMeta = parentPath === "" && (name === "kind" || name === "apiVersion");
      return below(value, node, path, isTypeMeta ? undefined : correlation.field(name));
    },
    item(index, value, node, path) {
      return below(value, node, path, correlation.item(index));
    },
  };
}

/** Below what has no old value, there is nothing to forgive. */
function below(value: JsonValue, node: SchemaNode, path: string, correlation: Correlation | undefined): ValueResult {
  return correlation === undefined ? checkValue(value, node, path) : forgiving(value, node, path, correlation);
}
