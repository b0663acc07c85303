import { dns1035LabelErrors } from "../../names/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../patches/json-value.ts";
import { type FieldError, invalid, required } from "../errors/field-error.ts";
import { child, indexed, keyed } from "../errors/field-path.ts";
import { nodeOfField, type SchemaNode } from "../schema/schema-node.ts";
import { decodeMetadata } from "./decoded-metadata.ts";
import { metadataErrors } from "./metadata-errors.ts";

/** The resources within an object, where the schema says that there is one. */
function* embeddedResources(
  value: JsonValue,
  node: SchemaNode | undefined,
  path: string,
): Generator<[JsonObject, string]> {
  if (node === undefined) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* embeddedResources(item, node.items, indexed(path, index));
  } else if (isJsonObject(value)) {
    if (node.embeddedResource) yield [value, path];
    for (const [name, field] of Object.entries(value)) {
      const at = node.properties.has(name) ? child(path, name) : keyed(path, name);
      yield* embeddedResources(field, nodeOfField(node, name), at);
    }
  }
}

/** Puts the metadata of resources within an object into the form of ObjectMeta, in place, or says why it cannot be. */
export function coerceEmbedded(object: JsonValue, root: SchemaNode, unknown: string[]): FieldError | undefined {
  for (const [resource, path] of embeddedResources(object, root, "")) {
    for (const name of ["apiVersion", "kind"]) {
      const value = resource[name];
      if (value !== undefined && typeof value !== "string")
        return invalid(child(path, name), value, "must be a string");
    }
    if (resource["metadata"] === undefined) continue;
    const decoded = decodeMetadata(resource["metadata"]);
    if (typeof decoded === "string") return invalid(child(path, "metadata"), resource["metadata"], decoded);
    unknown.push(...decoded.unknown.map((name) => `${child(path, "metadata")}.${name}`));
    resource["metadata"] = decoded.metadata;
  }
  return undefined;
}

/** What is wrong with the type and the metadata of resources within an object. */
export function embeddedErrors(value: JsonValue, node: SchemaNode, path = ""): FieldError[] {
  return [...embeddedResources(value, node, path)].flatMap(([resource, at]) => [
    ...apiVersionErrors(resource["apiVersion"], child(at, "apiVersion")),
    ...kindErrors(resource["kind"], child(at, "kind")),
    ...errorsOfMetadata(resource["metadata"], child(at, "metadata")),
  ]);
}

function apiVersionErrors(value: JsonValue | undefined, path: string): FieldError[] {
  if (value === undefined) return [required(path)];
  if (typeof value !== "string") return [invalid(path, value, "must be a string")];
  if (value === "") return [invalid(path, value, "must not be empty")];
  return value.split("/").length > 2 ? [invalid(path, value, `unexpected GroupVersion string: ${value}`)] : [];
}

function kindErrors(value: JsonValue | undefined, path: string): FieldError[] {
  if (value === undefined) return [required(path)];
  if (typeof value !== "string") return [invalid(path, value, "must be a string")];
  if (value === "") return [invalid(path, value, "must not be empty")];
  const problems = dns1035LabelErrors(value.toLowerCase());
  const detail = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
  return problems.length > 0 ? [invalid(path, value, detail)] : [];
}

function errorsOfMetadata(value: JsonValue | undefined, path: string): FieldError[] {
  if (value === undefined) return [];
  const decoded = decodeMetadata(value);
  if (typeof decoded === "string") return [invalid(path, value, decoded)];
  const metadata = { ...decoded.metadata };
  metadata["name"] ??= "name";
  return metadataErrors(metadata, path, {
    namespaced: typeof metadata["namespace"] === "string",
    nameProblems: (name, isPrefix) => pathSegmentProblems(name, isPrefix),
  });
}

function pathSegmentProblems(name: string, isPrefix: boolean): string[] {
  if (!isPrefix && (name === "." || name === "..")) return [`may not be '${name}'`];
  return ["/", "%"].filter((mark) => name.includes(mark)).map((mark) => `may not contain '${mark}'`);
}
