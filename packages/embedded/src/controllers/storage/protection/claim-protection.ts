import { createController, objectKey } from "@stowage/kube";
import { type PersistentVolumeClaim, persistentVolumeClaims, pods, protectionFinalizers } from "@stowage/machinery";
import { type ControllerDeps, type ControllerPart, queueBackoff, whileItLasts } from "../../kit/index.ts";
import { podsByClaim } from "../pod-volumes.ts";
import { keepsClaim, mayFreeClaims } from "./claim-usage.ts";
import { concerns, isHeldBack, protectedObject } from "./finalizers.ts";

/**
 * Keeps claims that are being deleted for as long as a Pod uses them.
 *
 * Watches PersistentVolumeClaims and Pods. Writes the finalizer of claims: adds it where it is missing, and takes it away when the claim
 * is being deleted and no Pod keeps it. Deletes nothing.
 */
export function createClaimProtection(deps: ControllerDeps): ControllerPart {
  const { client, informers } = deps;
  const finalizer = protectionFinalizers.claim;
  const claims = informers.informer(persistentVolumeClaims);
  const podCopies = informers.informer(pods);
  podCopies.addIndex(podsByClaim.name, podsByClaim.valuesOf);

  /** A Pod may be there that the watch has not brought yet: before a claim is let go, the server is asked. */
  const isUsed = async (claim: PersistentVolumeClaim) => {
    const known = podCopies.objects.byIndex(podsByClaim.name, objectKey(claim));
    if (known.some((pod) => keepsClaim(pod, claim))) return true;
    const { items } = await client.listAll(pods, { namespace: claim.metadata.namespace });
    return items.some((pod) => keepsClaim(pod, claim));
  };

  const controller = createController(deps, {
    name: "pvcprotection",
    workers: 5,
    backoff: queueBackoff,
    sync: whileItLasts(async (key) => {
      const claim = claims.objects.getByKey(key);
      if (claim === undefined) return;
      const written = protectedObject(claim, finalizer, isHeldBack(claim, finalizer) && (await isUsed(claim)));
      if (written !== undefined) await client.update(persistentVolumeClaims, written);
    }),
  });
  controller.watch(claims, (claim) => (concerns(claim, finalizer) ? [objectKey(claim)] : []));
  podCopies.addHandler({
    onAdd: (pod) => mayFreeClaims(pod) && enqueue(podsByClaim.valuesOf(pod)),
    onUpdate: (pod) => mayFreeClaims(pod) && enqueue(podsByClaim.valuesOf(pod)),
    onDelete: (pod) => enqueue(podsByClaim.valuesOf(pod)),
  });
  function enqueue(keys: readonly string[]): void {
    for (const key of keys) controller.queue.add(key);
  }
  return { name: "persistentvolumeclaim-protection-controller", run: (signal) => controller.run(signal) };
}
