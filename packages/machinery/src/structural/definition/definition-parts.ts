import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceSubresources,
} from "../../api/index.ts";
import { findField } from "../cel/field-paths.ts";
import { duplicate, type FieldError, invalid, required, tooMany } from "../errors/field-error.ts";
import { child, indexed } from "../errors/field-path.ts";
import { parseSchema } from "../schema/schema-node.ts";
import type { PlacedPart } from "./definition-view.ts";

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
const mostSelectableFields = 8;

export function columnErrors(columns: readonly CustomResourceColumnDefinition[], path: string): FieldError[] {
  return columns.flatMap((column, index) => errorsOfColumn(column, indexed(path, index)));
}

function errorsOfColumn(
  { name, type, format = "", jsonPath }: CustomResourceColumnDefinition,
  path: string,
): FieldError[] {
  const oneOf = `must be one of ${columnTypes.join(",")}`;
  const at = child(path, "JSONPath");
  return [
    ...(name ? [] : [required(child(path, "name"))]),
    ...(type ? [] : [required(child(path, "type"), oneOf)]),
    ...(type && !columnTypes.includes(type) ? [invalid(child(path, "type"), type, oneOf)] : []),
    ...(format !== "" && !columnFormats.includes(format)
      ? [invalid(child(path, "format"), format, `must be one of ${columnFormats.join(",")}`)]
      : []),
    ...(jsonPath ? pathErrors(jsonPath, at) : [required(at)]),
  ];
}

function pathErrors(jsonPath: string, path: string): FieldError[] {
  return jsonPath.startsWith(".") ? [] : [invalid(path, jsonPath, "must be a simple json path starting with .")];
}

export function subresourceErrors({ scale }: CustomResourceSubresources, path: string): FieldError[] {
  if (scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  const selector = child(path, "scale.labelSelectorPath");
  const isSelector = !labelSelectorPath || /^\.(spec|status)\./.test(labelSelectorPath);
  return [
    ...replicasErrors(specReplicasPath, child(path, "scale.specReplicasPath"), ".spec"),
    ...replicasErrors(statusReplicasPath, child(path, "scale.statusReplicasPath"), ".status"),
    ...(labelSelectorPath && pathErrors(labelSelectorPath, selector).length > 0
      ? pathErrors(labelSelectorPath, selector)
      : isSelector
        ? []
        : [invalid(selector, labelSelectorPath, "should be a json path under either .spec or .status")]),
  ];
}

function replicasErrors(jsonPath: string, path: string, under: string): FieldError[] {
  if (!jsonPath) return [required(path)];
  const errors = pathErrors(jsonPath, path);
  if (errors.length > 0 || jsonPath.startsWith(`${under}.`)) return errors;
  return [invalid(path, jsonPath, `should be a json path under ${under}`)];
}

export function selectableFieldErrors(
  spec: CustomResourceDefinitionSpec,
  { part, path, versionName }: PlacedPart<"selectableFields">,
): FieldError[] {
  const schema = spec.versions.find(({ name }) => name === versionName)?.schema?.openAPIV3Schema;
  if (schema === undefined || part.length === 0) return [];
  const root = parseSchema(schema);
  const seen = new Set<string>();
  const errors = part.flatMap(({ jsonPath }, index) => {
    const at = child(indexed(path, index), "jsonPath");
    if (!jsonPath) return [required(at)];
    const found = findField(jsonPath, root, false);
    if (typeof found === "string") return [invalid(at, jsonPath, `is an invalid path: ${found}`)];
    const isKnown = seen.has(found.path);
    seen.add(found.path);
    return [
      ...(/^metadata(\.|$)/.test(found.path) ? [invalid(at, jsonPath, "must not point to fields in metadata")] : []),
      ...(["string", "boolean", "integer"].includes(found.node?.type ?? "") ? [] : [invalid(at, jsonPath, selectable)]),
      ...(isKnown ? [duplicate(at, jsonPath)] : []),
    ];
  });
  return seen.size > mostSelectableFields ? [...errors, tooMany(path, seen.size, mostSelectableFields)] : errors;
}

const selectable =
  "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
