import { isAlreadyExists, isConflict, type KubeClient } from "@stowage/kube";
import { type ClusterOperator, clusterOperators, type ObjectMeta } from "@stowage/machinery";
import { isSameContent, mergeMetadata } from "@stowage/operator";
import type { PayloadManifest } from "../payload/index.ts";
import type { ManifestDeps } from "./manifest-apply.ts";

/**
 * A ClusterOperator belongs to its operator. It is made beforehand with what to look at when the operator never comes up
 * (`relatedObjects`), and afterwards only its labels and annotations are kept. Its `versions` say what is waited for, and are never
 * written.
 */
export async function applyClusterOperator(
  deps: Pick<ManifestDeps, "client" | "findClusterOperator">,
  manifest: PayloadManifest,
  signal: AbortSignal,
): Promise<ClusterOperator> {
  const wanted = manifest.object as ClusterOperator;
  const name = wanted.metadata.name ?? "";
  const existing = deps.findClusterOperator(name);
  if (existing === undefined) return createClusterOperator(deps, wanted, signal);
  if (isSameContent(existing.metadata, mergeMetadata(existing.metadata, wanted.metadata))) return existing;
  const { labels, annotations } = wanted.metadata;
  // Its operator writes it often: an update of what was read would meet with conflicts.
  const patch = { type: "merge", patch: { metadata: { labels, annotations } } } as const;
  return deps.client.patch(clusterOperators, { name }, patch, { signal });
}

async function createClusterOperator(
  { client }: Pick<ManifestDeps, "client">,
  { metadata, status }: ClusterOperator,
  signal: AbortSignal,
): Promise<ClusterOperator> {
  const created = await createOrGet(client, metadata, signal);
  if (created.status !== undefined) return created;
  const relatedObjects = status?.relatedObjects ?? [];
  if (relatedObjects.length === 0) return created;
  try {
    const object = { ...created, status: { relatedObjects } };
    return await client.update(clusterOperators, object, { subresource: "status", signal });
  } catch (error) {
    // Its operator was faster, and knows better.
    if (isConflict(error)) return created;
    throw error;
  }
}

/** The local copy may not know yet that it is there. */
async function createOrGet(client: KubeClient, metadata: ObjectMeta, signal: AbortSignal): Promise<ClusterOperator> {
  try {
    return await client.create(clusterOperators, { metadata, spec: {} }, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return client.get(clusterOperators, { name: metadata.name ?? "" }, { signal });
  }
}
