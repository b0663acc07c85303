import type { KubernetesObject } from "@stowage/machinery";
import type { ObjectStore } from "./object-store.ts";

/** The sidecar then knows that it may act on the content's deletion, now or whenever it comes. */
export async function markBeingDeleted<T extends KubernetesObject>(
  contents: Pick<ObjectStore<T>, "patch">,
  content: T,
  annotation: string,
): Promise<T> {
  const { uid, annotations = {} } = content.metadata;
  if (annotations[annotation] !== undefined) return content;
  return await contents.patch(content, {
    type: "merge",
    patch: { metadata: { uid, annotations: { [annotation]: "yes" } } },
  });
}
