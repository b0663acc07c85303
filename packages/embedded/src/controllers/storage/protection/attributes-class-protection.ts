import { createController, objectKey } from "@stowage/kube";
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  protectionFinalizers,
  volumeAttributesClasses,
} from "@stowage/machinery";
import { type ControllerDeps, type ControllerPart, queueBackoff, whileItLasts } from "../../kit/index.ts";
import { concerns, protectedObject } from "./finalizers.ts";

/** The index of claims by the classes that they have, want, or are on their way to. */
const claimsByAttributesClass = {
  name: "storage/claimsByAttributesClass",
  valuesOf: ({ spec, status }: PersistentVolumeClaim): readonly string[] =>
    named(
      spec?.volumeAttributesClassName,
      status?.currentVolumeAttributesClassName,
      status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
    ),
} as const;

const volumesByAttributesClass = {
  name: "storage/volumesByAttributesClass",
  valuesOf: ({ spec }: PersistentVolume): readonly string[] => named(spec?.volumeAttributesClassName),
} as const;

function named(...names: readonly (string | undefined)[]): string[] {
  return [...new Set(names.flatMap((name) => name || []))];
}

/**
 * Keeps VolumeAttributesClasses that are being deleted for as long as a claim or a volume names them.
 *
 * Watches VolumeAttributesClasses, PersistentVolumeClaims and PersistentVolumes. Writes the finalizer of the classes: adds it where it
 * is missing, and takes it away when the class is being deleted and nothing names it. Deletes nothing.
 */
export function createAttributesClassProtection(deps: ControllerDeps): ControllerPart {
  const { client, informers } = deps;
  const finalizer = protectionFinalizers.attributesClass;
  const classes = informers.informer(volumeAttributesClasses);
  const claims = informers.informer(persistentVolumeClaims);
  const volumes = informers.informer(persistentVolumes);
  claims.addIndex(claimsByAttributesClass.name, claimsByAttributesClass.valuesOf);
  volumes.addIndex(volumesByAttributesClass.name, volumesByAttributesClass.valuesOf);
  const isUsed = (name: string) =>
    claims.objects.byIndex(claimsByAttributesClass.name, name).length > 0 ||
    volumes.objects.byIndex(volumesByAttributesClass.name, name).length > 0;
  const controller = createController(deps, {
    name: "vacprotection",
    workers: 1,
    backoff: queueBackoff,
    sync: whileItLasts(async (name) => {
      const attributesClass = classes.objects.getByKey(name);
      const written = attributesClass && protectedObject(attributesClass, finalizer, isUsed(name));
      if (written !== undefined) await client.update(volumeAttributesClasses, written);
    }),
  });
  controller.watch(classes, (each) => (concerns(each, finalizer) ? [objectKey(each)] : []));
  // An addition uses a class; only changes and ends can have been the last use of one.
  controller.watch(claims, claimsByAttributesClass.valuesOf);
  controller.watch(volumes, volumesByAttributesClass.valuesOf);
  return { name: "volumeattributesclass-protection-controller", run: (signal) => controller.run(signal) };
}
