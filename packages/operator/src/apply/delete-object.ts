import { type DeleteOptions, isNotFound } from "@stowage/kube";
import type { KubernetesObject } from "@stowage/machinery";
import { type ApplyDeps, targetOf } from "./apply-deps.ts";
import { isKindMissing, reportDone, reportFailed } from "./apply-events.ts";

/** `none`: it was not there, or the cluster does not even have the kind. `deleting`: it lingers on its finalizers. */
export type DeleteChange = "none" | "deleted" | "deleting";

export async function deleteObject(
  deps: ApplyDeps,
  object: KubernetesObject,
  options: Pick<DeleteOptions, "propagationPolicy" | "signal"> = {},
): Promise<DeleteChange> {
  try {
    const { type, ref, key } = await targetOf(deps, object);
    if (deps.local?.covers(type, ref)) {
      const local = deps.local.find(type, ref);
      if (local === undefined) return "none";
      if (local.metadata.deletionTimestamp !== undefined) return "deleting";
    }
    const answer = await deps.client.delete(type, ref, options);
    // Some kinds answer with the object although it is gone; one that lingers has a time of deletion.
    const isGone = answer.gone || answer.object.metadata.deletionTimestamp === undefined;
    deps.known?.delete(key);
    reportDone(deps.events, "delete", object);
    return isGone ? "deleted" : "deleting";
  } catch (error) {
    if (isNotFound(error) || isKindMissing(error)) return "none";
    reportFailed(deps.events, "delete", object, error);
    throw error;
  }
}
