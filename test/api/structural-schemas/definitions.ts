import type { CustomResourceDefinition, JSONSchemaProps } from "@stowage/machinery";

export interface DefinitionOptions {
  readonly plural: string;
  readonly schema: JSONSchemaProps;
  readonly status?: boolean;
}

export const group = "structural.example.com";

/** A definition as short as it can be, around a schema. */
export function definitionOf({ plural, schema, status = false }: DefinitionOptions): CustomResourceDefinition {
  const kind = `${plural[0]?.toUpperCase()}${plural.slice(1, -1)}`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope: "Cluster",
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          ...(status && { subresources: { status: {} } }),
        },
      ],
    },
  };
}

/** Many schemas in one definition, each a field of the spec: definitions are slow to make, objects are not. */
export function packedSchema(schemas: Readonly<Record<string, JSONSchemaProps>>): JSONSchemaProps {
  return { type: "object", properties: { spec: { type: "object", properties: { ...schemas } } } };
}
