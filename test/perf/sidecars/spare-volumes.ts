import type { KubeClient } from "@stowage/kube";
import { type PersistentVolume, persistentVolumes } from "@stowage/machinery";
import { inParallel } from "./claim-load.ts";

/**
 * Creates PVs until there are so many, each as large as one that was provisioned: kept for a claim that never comes, so that nobody
 * binds or deletes them. Resolves when kube-controller-manager has seen all of them, and the sidecars so.
 */
export async function fillWithVolumes(client: KubeClient, count: number, signal: AbortSignal): Promise<void> {
  const { items } = await client.list(persistentVolumes, { signal });
  const [sample] = items;
  if (sample === undefined) throw new Error("there is no volume yet to make others of");
  const indexes = Array.from({ length: Math.max(0, count - items.length) }, (_, index) => index);
  await inParallel(indexes, (index) => client.create(persistentVolumes, desiredSpare(sample, index), { signal }));
  while (!signal.aborted && (await hasPending(client, signal)))
    await new Promise((resolve) => setTimeout(resolve, 500));
}

function desiredSpare({ metadata, spec }: PersistentVolume, index: number): PersistentVolume {
  const name = `pvc-00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
  const { annotations, finalizers } = metadata;
  const { csi, claimRef } = spec ?? {};
  if (csi === undefined || claimRef === undefined) throw new TypeError("the sample was provisioned by a driver");
  const { kind, apiVersion, namespace } = claimRef;
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name, annotations, finalizers },
    spec: {
      ...spec,
      csi: { ...csi, volumeHandle: name },
      claimRef: { kind, apiVersion, namespace, name: `spare-${index}` },
    },
  };
}

async function hasPending(client: KubeClient, signal: AbortSignal): Promise<boolean> {
  const { items } = await client.list(persistentVolumes, { resourceVersion: "0", signal });
  return items.some(({ status }) => status?.phase === "Pending");
}
