import type { JSONSchemaProps } from "../../api/index.ts";
import { type FieldError, forbidden, invalid, notSupported, required } from "../errors/field-error.ts";
import { child, keyed } from "../errors/field-path.ts";

const listTypes = ["atomic", "set", "map"];
const typeKey = "x-kubernetes-list-type";
const keysKey = "x-kubernetes-list-map-keys";

/** What is wrong with the kind of a list and the keys of its items. */
export function listTypeErrors(schema: JSONSchemaProps, path: string): FieldError[] {
  const listType = schema[typeKey];
  const keys = schema[keysKey] ?? [];
  const needsMap = "must be map if x-kubernetes-list-map-keys is non-empty";
  return [
    ...(listType === undefined ? [] : errorsOfType(schema, listType, path)),
    ...(keys.length > 0 && listType === undefined ? [required(child(path, typeKey), needsMap)] : []),
    ...(keys.length > 0 && listType !== undefined && listType !== "map"
      ? [invalid(child(path, typeKey), listType, needsMap)]
      : []),
    ...(listType === "map" ? errorsOfMap(schema, keys, path) : []),
    ...(listType === "set" || listType === "map" ? itemErrors(schema, listType, path) : []),
  ];
}

function errorsOfType(schema: JSONSchemaProps, listType: string, path: string): FieldError[] {
  const { type = "" } = schema;
  const at = child(path, "type");
  const needsArray = "must be array if x-kubernetes-list-type is specified";
  const errors =
    type === "array"
      ? setErrors(schema, listType, path)
      : [type === "" ? required(at, needsArray) : invalid(at, type, needsArray)];
  return listTypes.includes(listType) ? errors : [...errors, notSupported(child(path, typeKey), listType, listTypes)];
}

function setErrors(schema: JSONSchemaProps, listType: string, path: string): FieldError[] {
  const items = single(schema);
  if (listType !== "set" || items === undefined) return [];
  const detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
  const inner = items[typeKey];
  if (items.type === "array" && inner !== undefined && inner !== "atomic")
    return [invalid(child(child(path, "items"), typeKey), inner, detail)];
  if (items.type === "object" && items["x-kubernetes-map-type"] !== "atomic")
    return [invalid(child(child(path, "items"), "x-kubernetes-map-type"), inner ?? null, detail)];
  return [];
}

function errorsOfMap(schema: JSONSchemaProps, keys: readonly string[], path: string): FieldError[] {
  const items = single(schema);
  const itemsPath = child(path, "items");
  return [
    ...(keys.length === 0
      ? [required(child(path, keysKey), "must not be empty if x-kubernetes-list-type is map")]
      : []),
    ...(schema.items === undefined ? [required(itemsPath, "must have a schema if x-kubernetes-list-type is map")] : []),
    ...(items !== undefined && items.type !== "object"
      ? [
          invalid(
            child(itemsPath, "type"),
            items.type ?? "",
            "must be object if parent array's x-kubernetes-list-type is map",
          ),
        ]
      : []),
    ...(items?.type === "object" ? keyErrors(items, keys, path) : []),
  ];
}

function keyErrors(items: JSONSchemaProps, keys: readonly string[], path: string): FieldError[] {
  const at = child(path, keysKey);
  return keys.flatMap((key, index) => {
    const property = items.properties?.[key];
    const typePath = child(keyed(child(child(path, "items"), "properties"), key), "type");
    const isCompound = property?.type === "array" || property?.type === "object";
    const scalar = "must be a scalar type if parent array's x-kubernetes-list-type is map";
    return [
      ...(isCompound ? [invalid(typePath, items.type, scalar)] : []),
      ...(property === undefined ? [invalid(at, keys, "entries must all be names of item properties")] : []),
      ...(keys.indexOf(key) < index ? [invalid(at, keys, "must not contain duplicate entries")] : []),
    ];
  });
}

/** Items are told apart by their keys, so those have to be there. */
function itemErrors(schema: JSONSchemaProps, listType: string, path: string): FieldError[] {
  const items = single(schema);
  if (items === undefined) return [];
  const itemsPath = child(path, "items");
  const nullable =
    items.nullable === true
      ? [forbidden(child(itemsPath, "nullable"), `cannot be nullable when x-kubernetes-list-type is ${listType}`)]
      : [];
  if (listType === "set") return nullable;
  return [...nullable, ...(schema[keysKey] ?? []).flatMap((key) => errorsOfKey(items, key, itemsPath))];
}

function errorsOfKey(items: JSONSchemaProps, key: string, itemsPath: string): FieldError[] {
  const property = items.properties?.[key];
  if (property === undefined) return [];
  const at = keyed(child(itemsPath, "properties"), key);
  const isThere = items.required?.includes(key) === true || property.default !== undefined;
  const inKeys = "this property is in x-kubernetes-list-map-keys, so it";
  return [
    ...(isThere ? [] : [required(child(at, "default"), `${inKeys} must have a default or be a required property`)]),
    ...(property.nullable === true ? [forbidden(child(at, "nullable"), `${inKeys} cannot be nullable`)] : []),
  ];
}

function single(schema: JSONSchemaProps): JSONSchemaProps | undefined {
  return Array.isArray(schema.items) ? undefined : schema.items;
}
