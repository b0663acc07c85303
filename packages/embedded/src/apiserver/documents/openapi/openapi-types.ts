/** Just enough of OpenAPI v3 to put documents together. */
export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface Body {
  readonly content: Content;
  readonly required?: boolean;
}

export interface Operation {
  readonly tags: readonly string[];
  readonly description: string;
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
  readonly "x-kubernetes-action"?: string;
  readonly "x-kubernetes-group-version-kind"?: KindName;
}

export interface KindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** By method in small letters; `parameters` are those that all of them have. */
export interface PathItem {
  readonly [method: string]: Operation | readonly Parameter[] | undefined;
  readonly parameters?: readonly Parameter[];
}

export type Paths = Readonly<Record<string, PathItem>>;

export interface OpenApiDocument {
  readonly openapi: "3.0.0";
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Paths;
  readonly components: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly securitySchemes?: object;
  };
}

export function referenceTo(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The same schema in each of the media types. */
export function contentOf(types: readonly string[], schema: Schema): Content {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

/** Its keys by the alphabet. */
export function sortedByKey<Value>(values: Iterable<readonly [string, Value]>): Record<string, Value> {
  return Object.fromEntries([...values].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
