import { isConflict, isNotFound, type KubeClient } from "@stowage/kube";
import type { KubernetesObject, ResourceType } from "@stowage/machinery";

interface Place<T extends KubernetesObject> {
  readonly client: Pick<KubeClient, "get" | "patch">;
  readonly type: ResourceType<T>;
  readonly name: string;
  readonly signal?: AbortSignal;
}

/** Writes the list only if nobody else has changed the object meanwhile, else looks again. Undefined: nothing was to be done. */
export async function changeFinalizers<T extends KubernetesObject>(
  { client, type, name, signal }: Place<T>,
  known: T,
  change: (finalizers: readonly string[]) => string[],
): Promise<T | undefined> {
  let existing = known;
  for (;;) {
    const { finalizers = [], resourceVersion, uid } = existing.metadata;
    const wanted = change(finalizers);
    if (wanted.length === finalizers.length) return existing === known ? undefined : existing;
    const patch = { metadata: { finalizers: wanted, resourceVersion, uid } };
    try {
      return await client.patch(type, { name }, { type: "merge", patch }, { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      if (!isConflict(error)) throw error;
      existing = await client.get(type, { name }, { signal });
      if (existing.metadata.uid !== uid) return undefined;
    }
  }
}
