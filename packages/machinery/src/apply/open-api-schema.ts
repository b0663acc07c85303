import {
  deduced,
  type ListSchema,
  type MapSchema,
  type SchemaReference,
  type StructField,
  type TypedSchema,
  untypedAtomic,
  withRelation,
} from "./typed-schema.ts";

/** The part of an OpenAPI v3 schema, or of a CRD's structural schema, that says how values are merged. */
export interface OpenApiSchema {
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly items?: OpenApiSchema;
  readonly allOf?: readonly OpenApiSchema[];
  readonly $ref?: string;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-map-type"?: string;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
}

export interface OpenApiOptions {
  /** The type of a `$ref`, by the last part of its path. */
  readonly resolve: (name: string) => TypedSchema;
  /** Everything may have fields that the schema does not name, as CRDs of old allow. */
  readonly preserveUnknownFields?: boolean;
}

/** The full names of the types whose schemas do not say what they are. */
const quantity = "io.k8s.apimachinery.pkg.api.resource.Quantity";
const rawExtension = "io.k8s.apimachinery.pkg.runtime.RawExtension";

/** Every type of a set of OpenAPI documents, by its full name. */
export function schemasOfDefinitions(
  definitions: Readonly<Record<string, OpenApiSchema>>,
): (name: string) => TypedSchema {
  const known = new Map<string, TypedSchema>([
    [quantity, { scalar: "untyped" }],
    [rawExtension, untypedAtomic],
  ]);
  const resolve = (name: string): TypedSchema => {
    let schema = known.get(name);
    if (schema === undefined) {
      const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
      if (definition === undefined) throw new TypeError(`The documents do not define ${name}`);
      schema = typedSchemaOf(definition, { resolve });
      known.set(name, schema);
    }
    return schema;
  };
  return resolve;
}

/** One schema, with what it holds; references in it are looked up when they are needed. */
export function typedSchemaOf(schema: OpenApiSchema, options: OpenApiOptions): TypedSchema {
  const preserves = options.preserveUnknownFields || schema["x-kubernetes-preserve-unknown-fields"] === true;
  const inner = { ...options, preserveUnknownFields: preserves };
  switch (schema.type) {
    case "object":
      return { map: mapOf(schema, inner) };
    case "array":
      return { list: listOf(schema, inner) };
    case "integer":
    case "number":
      return { scalar: "numeric" };
    case "boolean":
      return { scalar: "boolean" };
    case "string":
      return { scalar: isPlainText(schema.format) ? "string" : "untyped" };
    case undefined:
    default:
      return { scalar: "untyped", list: listOf(schema, inner), map: mapOf(schema, inner) };
  }
}

/** Times and the like may come as something else than text; bytes are text. */
function isPlainText(format: string | undefined): boolean {
  return format === undefined || format === "" || format === "byte";
}

function referenceTo(schema: OpenApiSchema, options: OpenApiOptions): SchemaReference {
  const name = referredName(schema);
  if (name === undefined) return once(() => typedSchemaOf(schema, options));
  const relation = schema["x-kubernetes-map-type"];
  if (relation === undefined) return once(() => options.resolve(name));
  return once(() => withRelation(options.resolve(name), relation === "atomic"));
}

function referredName({ $ref, allOf }: OpenApiSchema): string | undefined {
  const reference = $ref ?? (allOf?.length === 1 ? allOf[0]?.$ref : undefined);
  return reference?.slice(reference.lastIndexOf("/") + 1);
}

/** Looked up at the first use, and kept. */
export function once(look: SchemaReference): SchemaReference {
  let found: TypedSchema | undefined;
  return () => (found ??= look());
}

function mapOf(schema: OpenApiSchema, options: OpenApiOptions): MapSchema {
  const properties = Object.entries({ ...schema.properties, ...embeddedFields(schema) });
  const fields = properties.map(([name, property]): [string, StructField] => [
    name,
    { type: referenceTo(property, options), default: property.default },
  ]);
  const values = valuesOf(schema, options);
  return {
    isAtomic: schema["x-kubernetes-map-type"] === "atomic",
    fields: new Map(fields),
    values,
    isDeduced: fields.length === 0 && isUntyped(schema.additionalProperties, values),
  };
}

/** An object inside an object has metadata of its own, which its schema need not mention. */
function embeddedFields(schema: OpenApiSchema): Record<string, OpenApiSchema> {
  if (schema["x-kubernetes-embedded-resource"] !== true) return {};
  return { apiVersion: { type: "string" }, kind: { type: "string" }, metadata: { $ref: objectMeta } };
}

export const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

const deducedReference: SchemaReference = () => deduced;

function valuesOf(
  { additionalProperties, properties }: OpenApiSchema,
  options: OpenApiOptions,
): SchemaReference | undefined {
  if (typeof additionalProperties === "object") return referenceTo(additionalProperties, options);
  if (additionalProperties !== undefined) return additionalProperties ? deducedReference : undefined;
  const isFree = options.preserveUnknownFields || Object.keys(properties ?? {}).length === 0;
  return isFree ? deducedReference : undefined;
}

function isUntyped(additional: OpenApiSchema["additionalProperties"], values: SchemaReference | undefined): boolean {
  if (values === deducedReference) return true;
  return typeof additional === "object" && referredName(additional) === undefined && values?.().scalar === "untyped";
}

function listOf(schema: OpenApiSchema, options: OpenApiOptions): ListSchema {
  const relation = schema["x-kubernetes-list-type"];
  return {
    isAtomic: relation !== "set" && relation !== "map",
    keys: relation === "map" ? (schema["x-kubernetes-list-map-keys"] ?? []) : [],
    item: schema.items === undefined ? () => untypedAtomic : referenceTo(schema.items, options),
  };
}
