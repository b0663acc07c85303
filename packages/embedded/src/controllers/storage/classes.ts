import {
  defaultClassAnnotations,
  type PersistentVolume,
  type PersistentVolumeClaim,
  provisioningAnnotations,
  type StorageClass,
} from "@stowage/machinery";

/** The annotation is older than the field, and counts before it. Empty: none. */
export function classOfClaim({ metadata, spec }: PersistentVolumeClaim): string {
  return metadata.annotations?.[provisioningAnnotations.betaStorageClass] ?? spec?.storageClassName ?? "";
}

export function classOfVolume({ metadata, spec }: PersistentVolume): string {
  return metadata.annotations?.[provisioningAnnotations.betaStorageClass] ?? spec?.storageClassName ?? "";
}

/** An empty name is an answer too: no class, and no default in its place. */
export function hasClass({ metadata, spec }: PersistentVolumeClaim): boolean {
  const annotation = metadata.annotations?.[provisioningAnnotations.betaStorageClass];
  return (annotation ?? spec?.storageClassName) !== undefined;
}

/** The newest of those that are marked so; of equally old ones the first by name. */
export function defaultClass(classes: readonly StorageClass[]): StorageClass | undefined {
  const marked = classes.filter(({ metadata }) =>
    defaultClassAnnotations.some((annotation) => metadata.annotations?.[annotation] === "true"),
  );
  return marked.toSorted((a, b) => createdMs(b) - createdMs(a) || (nameOf(a) < nameOf(b) ? -1 : 1))[0];
}

/** A volume is to be chosen or made once it is known which node needs it. */
export function isDelayed(storageClass: StorageClass | undefined): boolean {
  return storageClass?.volumeBindingMode === "WaitForFirstConsumer";
}

function createdMs({ metadata }: StorageClass): number {
  return Date.parse(metadata.creationTimestamp ?? "");
}

function nameOf({ metadata }: StorageClass): string {
  return metadata.name ?? "";
}
