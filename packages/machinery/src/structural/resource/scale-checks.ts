import type { CustomResourceSubresourceScale } from "../../api/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../patches/json-value.ts";
import { type FieldError, invalid } from "../errors/field-error.ts";
import { isInt64 } from "../errors/go-text.ts";

const int32Max = 2_147_483_647;

/** What the paths of the scale subresource lead to has to be of the right type. */
export function scaleErrors(
  object: JsonObject,
  scale: CustomResourceSubresourceScale,
  onlyStatus: boolean,
): FieldError[] {
  return [
    ...(onlyStatus ? [] : replicasErrors(object, scale.specReplicasPath)),
    ...replicasErrors(object, scale.statusReplicasPath),
    ...selectorErrors(object, scale.labelSelectorPath),
  ];
}

function replicasErrors(object: JsonObject, path: string): FieldError[] {
  const value = valueAt(object, path);
  if (typeof value === "string") return [invalid(path, 0, value)];
  const found = value.found ?? 0;
  if (typeof found !== "number" || !isInt64(found)) return [invalid(path, 0, accessorError(path, found, "int64"))];
  if (found < 0) return [invalid(path, found, "should be a non-negative integer")];
  return found > int32Max ? [invalid(path, found, `should be less than or equal to ${int32Max}`)] : [];
}

function selectorErrors(object: JsonObject, path: string | undefined): FieldError[] {
  if (path === undefined) return [];
  const value = valueAt(object, path);
  if (typeof value === "string") return [invalid(path, "", value)];
  const found = value.found ?? "";
  return typeof found === "string" ? [] : [invalid(path, "", accessorError(path, found, "string"))];
}

/** A text says why the path cannot be followed. */
function valueAt(object: JsonObject, path: string): { found: JsonValue | undefined } | string {
  let value: JsonValue | undefined = object;
  const names = path.replace(/^\./, "").split(".");
  for (const [position, name] of names.entries()) {
    if (value === undefined) return { found: undefined };
    if (value === null || !isJsonObject(value))
      return value === null
        ? { found: undefined }
        : accessorError(`.${names.slice(0, position).join(".")}`, value, "map[string]interface{}");
    value = Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return { found: value };
}

function accessorError(path: string, value: JsonValue, wanted: string): string {
  return `.${path.replace(/^\./, "")} accessor error: ${goText(value)} is of the type ${goType(value)}, expected ${wanted}`;
}

function goText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (isJsonObject(value))
    return `map[${Object.keys(value)
      .sort()
      .map((name) => `${name}:${goText(value[name] ?? null)}`)
      .join(" ")}]`;
  return value === null ? "<nil>" : String(value);
}

function goType(value: JsonValue): string {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return isInt64(value) ? "int64" : "float64";
  if (typeof value === "string") return "string";
  return Array.isArray(value) ? "[]interface {}" : "map[string]interface {}";
}
