import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinition,
  JSONSchemaProps,
  ResourceType,
} from "@stowage/machinery";
import { string } from "./schema.ts";

export interface DefinitionParts {
  readonly type: ResourceType;
  readonly shortNames: readonly string[];
  /** Kubernetes guards the groups of k8s.io: each of their definitions names the change by which its API was approved. */
  readonly approvedBy: string;
  readonly description: string;
  readonly columns: readonly CustomResourceColumnDefinition[];
  readonly fields: Readonly<Record<string, JSONSchemaProps>>;
  readonly required: readonly string[];
}

/** One version, which is stored too, and so nothing to convert. With a status in the fields, that is written apart. */
export function definition(parts: DefinitionParts): CustomResourceDefinition {
  const { group, version, plural, kind, namespaced } = parts.type;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      annotations: { "api-approved.kubernetes.io": parts.approvedBy },
    },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        shortNames: [...parts.shortNames],
        singular: kind.toLowerCase(),
      },
      scope: namespaced ? "Namespaced" : "Cluster",
      conversion: { strategy: "None" },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          additionalPrinterColumns: [...parts.columns, age],
          schema: { openAPIV3Schema: rootSchema(parts) },
          ...("status" in parts.fields && { subresources: { status: {} } }),
        },
      ],
    },
  };
}

const age: CustomResourceColumnDefinition = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };

export function column(name: string, type: string, jsonPath: string, description?: string) {
  return { name, type, jsonPath, ...(description !== undefined && { description }) };
}

function rootSchema({ description, fields, required }: DefinitionParts): JSONSchemaProps {
  return {
    type: "object",
    description,
    required: [...required],
    properties: {
      apiVersion: string("The version of this representation of the object."),
      kind: string("The kind of the object."),
      metadata: { type: "object" },
      ...fields,
    },
  };
}
