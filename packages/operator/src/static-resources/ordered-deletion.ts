import type { KubernetesObject } from "@stowage/machinery";
import { type ApplyDeps, cliName, deleteObject, targetOf } from "../apply/index.ts";
import type { RemovalProgress } from "../operator-controllers/index.ts";
import { inOrder } from "./static-resource.ts";

/** Workloads go before what they need, and wait for their Pods: a driver must not lose its rights while it unmounts. */
const workloadKinds: ReadonlySet<string> = new Set(["Deployment", "DaemonSet", "StatefulSet"]);

/** In the order of deletion: workloads first, then the rest against the order in which it was made. */
export function deletionOrder<T extends KubernetesObject>(objects: readonly T[]): T[] {
  const isWorkload = ({ kind }: T) => workloadKinds.has(kind);
  const rest = objects.filter((object) => !isWorkload(object)).map((object) => ({ asset: "", object }));
  const others = inOrder(rest).map(({ object }) => object as T);
  return [...objects.filter(isWorkload), ...others.toReversed()];
}

/** `waiting`: what comes after that which lingers has not been touched. */
export type OrderedDeletion = (objects: readonly KubernetesObject[], signal: AbortSignal) => Promise<RemovalProgress>;

/** Deletes one after the other, each only when all before it are gone. To be called again until then, at any time. */
export function createOrderedDeletion(deps: ApplyDeps): OrderedDeletion {
  /** What was deleted and is not gone: it is looked at, and neither deleted nor told of once more. */
  const lingering = new Set<string>();
  return async (objects, signal) => {
    for (const object of deletionOrder(objects)) {
      signal.throwIfAborted();
      const key = cliName(object);
      if (lingering.has(key) && (await isLingering(deps, object, signal))) return "waiting";
      lingering.delete(key);
      const propagationPolicy = workloadKinds.has(object.kind) ? "Foreground" : undefined;
      if ((await deleteObject(deps, object, { propagationPolicy, signal })) === "deleting") {
        lingering.add(key);
        return "waiting";
      }
    }
    return "gone";
  };
}

async function isLingering(deps: ApplyDeps, object: KubernetesObject, signal: AbortSignal): Promise<boolean> {
  const { type, ref } = await targetOf(deps, object);
  const found = await deps.client.find(type, ref, { signal });
  return found?.metadata.deletionTimestamp !== undefined;
}
