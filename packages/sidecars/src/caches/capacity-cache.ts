import type { Informer, InformerFactory } from "@stowage/kube";
import { type CSIStorageCapacity, capacityLabels, csiStorageCapacities } from "@stowage/machinery";

/** The CSIStorageCapacity objects of one provisioner: there may be one for each class and node, of every driver. */
export function storageCapacityCache(
  informers: Pick<InformerFactory, "informer">,
  { namespace, driverName, managedBy }: { namespace: string; driverName: string; managedBy: string },
): Informer<CSIStorageCapacity> {
  const labelSelector = `${capacityLabels.driverName}=${driverName},${capacityLabels.managedBy}=${managedBy}`;
  return informers.informer(csiStorageCapacities, { namespace, labelSelector });
}
