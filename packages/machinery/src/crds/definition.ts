import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinition,
  JSONSchemaProps,
  ResourceType,
  ValidationRule,
} from "../api/index.ts";
import { string } from "./schema.ts";

export interface DefinitionParts {
  readonly type: ResourceType;
  readonly description: string;
  readonly fields: Readonly<Record<string, JSONSchemaProps>>;
  readonly required?: readonly string[];
  /** Of the object as a whole: they see its name and what else it has. */
  readonly rules?: readonly ValidationRule[];
  readonly shortNames?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  /** Left out: the server shows the age, and nothing else. With columns, the age is shown where they have it. */
  readonly columns?: readonly CustomResourceColumnDefinition[];
}

/** One version, which is stored too, and so nothing to convert. With a status in the fields, that is written apart. */
export function definition(parts: DefinitionParts): CustomResourceDefinition {
  const { group, version, plural, kind, namespaced } = parts.type;
  const { shortNames = [], annotations, columns = [] } = parts;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, ...(annotations && { annotations: { ...annotations } }) },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
        singular: kind.toLowerCase(),
      },
      scope: namespaced ? "Namespaced" : "Cluster",
      conversion: { strategy: "None" },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          ...(columns.length > 0 && { additionalPrinterColumns: [...columns] }),
          schema: { openAPIV3Schema: rootSchema(parts) },
          ...("status" in parts.fields && { subresources: { status: {} } }),
        },
      ],
    },
  };
}

export function column(
  name: string,
  type: "string" | "boolean" | "integer" | "date",
  jsonPath: string,
  description?: string,
): CustomResourceColumnDefinition {
  return { name, type, jsonPath, ...(description !== undefined && { description }) };
}

/** The column that the server shows by itself where there is no other. */
export const ageColumn: CustomResourceColumnDefinition = column("Age", "date", ".metadata.creationTimestamp");

function rootSchema({ description, fields, required = [], rules = [] }: DefinitionParts): JSONSchemaProps {
  return {
    type: "object",
    description,
    ...(required.length > 0 && { required: [...required] }),
    properties: {
      apiVersion: string("The version of this representation of the object."),
      kind: string("The kind of the object."),
      metadata: { type: "object" },
      ...fields,
    },
    ...(rules.length > 0 && { "x-kubernetes-validations": [...rules] }),
  };
}
