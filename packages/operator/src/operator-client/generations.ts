import type { GenerationStatus, KubernetesObject, OperatorStatus, ResourceType } from "@stowage/machinery";

type Resource = Pick<ResourceType, "group" | "plural">;

/** The generation that the object had when the operator last wrote it; -1 when it never did. */
export function lastGenerationOf(
  status: OperatorStatus | undefined,
  resource: Resource,
  object: Pick<KubernetesObject, "metadata">,
): number {
  const wanted = generationStatus(resource, object);
  const found = status?.generations?.find(
    ({ group, resource: plural, namespace, name }) =>
      group === wanted.group && plural === wanted.resource && name === wanted.name && namespace === wanted.namespace,
  );
  return found?.lastGeneration ?? -1;
}

/** For `status.generations`, of an object as it came back from a write. */
export function generationStatus(
  { group, plural }: Resource,
  { metadata }: Pick<KubernetesObject, "metadata">,
): GenerationStatus {
  const { name = "", namespace = "", generation = 0 } = metadata;
  return { group, resource: plural, namespace, name, lastGeneration: generation };
}
