import type { AzureDiskEncryptionSet, ClusterCSIDriver, StorageClass, VolumeSnapshotClass } from "@stowage/machinery";
import type { HookContext } from "@stowage/operator";
import { isStackHub, withStackHubEndpoints } from "../../azure/index.ts";
import type { DriverHooks, DriverSources } from "../../driver-profile.ts";

/** The key that disks are encrypted with, and what Azure Stack Hub has otherwise. */
export function azureDiskHooks(sources: DriverSources): DriverHooks {
  const onStackHub =
    <C extends StorageClass | VolumeSnapshotClass>(parameters: Record<string, string>) =>
    async (object: C, { signal }: HookContext<ClusterCSIDriver>): Promise<C> =>
      isStackHub(await sources.facts.current(signal)) ? withParameters(object, parameters) : object;
  return {
    controllerHooks: [withStackHubEndpoints(sources)],
    nodeHooks: [withStackHubEndpoints(sources)],
    storageClassHooks: [withEncryptionSet, onStackHub(stackHubSku)],
    snapshotClassHooks: [onStackHub(wholeSnapshots)],
  };
}

/** The best that there is on Azure Stack Hub, whatever the class may come to have elsewhere. */
const stackHubSku = { skuname: "Premium_LRS" };
/** Azure Stack Hub knows no other. */
const wholeSnapshots = { incremental: "false" };

function withEncryptionSet(storageClass: StorageClass, { operator }: HookContext<ClusterCSIDriver>): StorageClass {
  const { driverType, azure } = operator.spec.driverConfig ?? {};
  const set = driverType === "Azure" ? azure?.diskEncryptionSet : undefined;
  return set === undefined ? storageClass : withParameters(storageClass, { diskEncryptionSetID: idOf(set) });
}

function idOf({ subscriptionID, resourceGroup, name }: AzureDiskEncryptionSet): string {
  const group = `/subscriptions/${subscriptionID}/resourceGroups/${resourceGroup}`;
  return `${group}/providers/Microsoft.Compute/diskEncryptionSets/${name}`;
}

function withParameters<C extends StorageClass | VolumeSnapshotClass>(
  object: C,
  parameters: Record<string, string>,
): C {
  return { ...object, parameters: { ...object.parameters, ...parameters } };
}
