import type { CustomResourceDefinition, KubernetesObject, ResourceType } from "@stowage/machinery";
import { groupOf } from "../payload/index.ts";

type Resource = Pick<ResourceType, "group" | "plural">;

/**
 * The resource of an object, without a server to ask: by the payload's own definitions, else by the plural that English gives to a
 * kind, which holds for all of Kubernetes' own and for OpenShift's.
 */
export function resourceOf(object: KubernetesObject, definitions: readonly CustomResourceDefinition[]): Resource {
  const group = groupOf(object);
  const definition = definitions.find(({ spec }) => spec.group === group && spec.names.kind === object.kind);
  return { group, plural: definition?.spec.names.plural ?? pluralOf(object.kind) };
}

function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular === "endpoints") return singular;
  if (singular.endsWith("s") || singular.endsWith("x")) return `${singular}es`;
  return /[^aeiou]y$/u.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}
