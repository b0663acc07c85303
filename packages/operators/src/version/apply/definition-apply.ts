import type { KubernetesObject } from "@stowage/machinery";
import { applyObject, targetOf } from "@stowage/operator";
import type { ManifestDeps } from "./manifest-apply.ts";
import { objectTrouble } from "./object-health.ts";

/** Far more than the server needs; what takes longer is told as a trouble, and looked at again later. */
const MAXIMUM_LOOKS = 50;
const LOOK_INTERVAL_MS = 100;

/** Makes a CustomResourceDefinition and waits until its objects are served: they are most often next in the payload. */
export async function applyDefinition(
  deps: Pick<ManifestDeps, "client" | "mapper" | "events" | "known" | "clock">,
  definition: KubernetesObject,
  signal: AbortSignal,
): Promise<KubernetesObject> {
  const { type, ref } = await targetOf(deps, definition);
  const { object } = await applyObject(deps, definition, { signal });
  let current: KubernetesObject | undefined = object;
  for (let look = 1; look <= MAXIMUM_LOOKS; look++) {
    if (current === undefined || objectTrouble(current) === undefined) break;
    await deps.clock.sleep(LOOK_INTERVAL_MS, signal);
    current = await deps.client.find(type, ref, { signal });
  }
  return current ?? object;
}
