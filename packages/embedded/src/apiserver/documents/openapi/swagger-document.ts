import {
  type Body,
  type KindName,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type PathItem,
  type Schema,
  sortedByKey,
} from "./openapi-types.ts";
import { swaggerSchema } from "./swagger-schema.ts";

/** Version 2 of OpenAPI, which has everything in one document. */
export function swaggerDocument(documents: readonly OpenApiDocument[]): object {
  const items = documents.flatMap(({ paths }) => Object.entries(paths));
  return {
    swagger: "2.0",
    info: documents[0]?.info,
    paths: sortedByKey(items.map(([path, item]) => [path, swaggerItem(item)] as const)),
    definitions: sortedByKey(definitions(documents)),
    securityDefinitions: {
      BearerToken: { description: "Bearer Token authentication", type: "apiKey", name: "authorization", in: "header" },
    },
    security: [{ BearerToken: [] }],
  };
}

/** A schema that comes in several documents has in each the kinds of its group; here it has them all. */
function definitions(documents: readonly OpenApiDocument[]): Map<string, Schema> {
  const found = new Map<string, Schema>();
  for (const { components } of documents) {
    for (const [name, schema] of Object.entries(components.schemas ?? {})) {
      const before = found.get(name);
      if (before === undefined) found.set(name, definitionOf(schema));
      else if (kindsOf(schema).length > 0) found.set(name, withKinds(before, [...kindsOf(before), ...kindsOf(schema)]));
    }
  }
  return found;
}

function definitionOf(schema: Schema): Schema {
  const kinds = kindsOf(schema);
  if (kinds.length === 0) return swaggerSchema(schema);
  // A kind is an object, whatever else it may have.
  const { "x-kubernetes-preserve-unknown-fields": _, ...definition } = swaggerSchema(schema);
  return withKinds({ type: "object", ...definition }, kinds);
}

function kindsOf(schema: Schema): readonly KindName[] {
  return (schema["x-kubernetes-group-version-kind"] ?? []) as readonly KindName[];
}

function withKinds(schema: Schema, kinds: readonly KindName[]): Schema {
  const distinct = sortedByKey(kinds.map((kind) => [`${kind.group}/${kind.version}/${kind.kind}`, kind] as const));
  return { ...schema, "x-kubernetes-group-version-kind": Object.values(distinct) };
}

function swaggerItem(item: PathItem): object {
  const entries = Object.entries(item).map(([key, value]) => [
    key,
    key === "parameters" ? (value as readonly Parameter[]).map(swaggerParameter) : swaggerOperation(value as Operation),
  ]);
  return Object.fromEntries(entries);
}

function swaggerOperation({ requestBody, parameters = [], responses, ...operation }: Operation): object {
  const types = Object.keys(responses["200"]?.content ?? {});
  const sent = requestBody === undefined ? [] : [bodyParameter(requestBody)];
  const all = [...sent, ...parameters.map(swaggerParameter)];
  const { tags, description, operationId, ...extensions } = operation;
  return {
    description,
    consumes: requestBody === undefined ? consumedTypes(operation, types) : Object.keys(requestBody.content),
    produces: types,
    schemes: ["https"],
    tags,
    operationId,
    ...(all.length > 0 && { parameters: all }),
    responses: Object.fromEntries(Object.entries(responses).map(([code, each]) => [code, swaggerResponse(each)])),
    ...extensions,
  };
}

/** Of a request without a body. */
function consumedTypes(operation: Pick<Operation, "x-kubernetes-action">, types: readonly string[]): readonly string[] {
  const isBuiltIn = types.includes("application/vnd.kubernetes.protobuf") || types.includes("*/*");
  return isBuiltIn && operation["x-kubernetes-action"] !== undefined ? ["*/*"] : types;
}

function swaggerParameter({ schema, ...parameter }: Parameter): object {
  return { ...schema, ...parameter };
}

function bodyParameter({ content, required }: Body): object {
  const [first] = Object.values(content);
  const schema = swaggerSchema(first?.schema ?? {});
  return { name: "body", in: "body", ...(required === true && { required }), schema };
}

function swaggerResponse({ description, content }: Operation["responses"][string]): object {
  const [first] = Object.values(content ?? {});
  return first === undefined ? { description } : { description, schema: swaggerSchema(first.schema) };
}
