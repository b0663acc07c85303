import type { InformerFactory } from "@stowage/kube";
import { type StorageClass, storageClasses } from "@stowage/machinery";
import { type Figure, isDefaultClass } from "@stowage/operator";

/**
 * How many classes are the default, which should be one at most: of several, the newest wins, which is rarely what anybody meant. The
 * alert `MultipleDefaultStorageClasses` knows it by this name. Watches: StorageClasses.
 */
export function defaultClassCount({ informers }: { readonly informers: Pick<InformerFactory, "informer"> }): Figure {
  const classes = informers.informer(storageClasses, { transform: trimClass });
  return {
    name: "default_storage_class_count",
    help: "Number of default storage classes currently configured.",
    value: () => (classes.hasSynced ? classes.objects.list().filter(isDefaultClass).length : undefined),
  };
}

/** Parameters may be long, and nobody asks for them. */
function trimClass({ apiVersion, kind, metadata, provisioner }: StorageClass): StorageClass {
  const { name, uid, annotations, resourceVersion } = metadata;
  return { apiVersion, kind, metadata: { name, uid, annotations, resourceVersion }, provisioner };
}
