import { createController, objectKey } from "@stowage/kube";
import { persistentVolumes, protectionFinalizers } from "@stowage/machinery";
import { type ControllerDeps, type ControllerPart, queueBackoff, whileItLasts } from "../../kit/index.ts";
import { concerns, protectedObject } from "./finalizers.ts";

/**
 * Keeps volumes that are being deleted for as long as they are bound.
 *
 * Watches PersistentVolumes. Writes their finalizer: adds it where it is missing, and takes it away when the volume is being deleted
 * and not bound. Deletes nothing.
 */
export function createVolumeProtection(deps: ControllerDeps): ControllerPart {
  const { client, informers } = deps;
  const finalizer = protectionFinalizers.volume;
  const volumes = informers.informer(persistentVolumes);
  const controller = createController(deps, {
    name: "pvprotection",
    workers: 1,
    backoff: queueBackoff,
    sync: whileItLasts(async (name) => {
      const volume = volumes.objects.getByKey(name);
      const written = volume && protectedObject(volume, finalizer, volume.status?.phase === "Bound");
      if (written !== undefined) await client.update(persistentVolumes, written);
    }),
  });
  controller.watch(volumes, (volume) => (concerns(volume, finalizer) ? [objectKey(volume)] : []));
  return { name: "persistentvolume-protection-controller", run: (signal) => controller.run(signal) };
}
