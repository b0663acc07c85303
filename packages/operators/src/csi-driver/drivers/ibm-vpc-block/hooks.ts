import type { ClusterCSIDriver, StorageClass } from "@stowage/machinery";
import type { DriverHooks } from "../../driver-profile.ts";

export function ibmVpcBlockHooks(): DriverHooks {
  return { storageClassHooks: [withEncryptionKey] };
}

/** The administrator's own key, for every class of the driver. */
function withEncryptionKey(
  storageClass: StorageClass,
  { operator }: { readonly operator: ClusterCSIDriver },
): StorageClass {
  const { driverType, ibmcloud } = operator.spec.driverConfig ?? {};
  const encryptionKey = driverType === "IBMCloud" ? ibmcloud?.encryptionKeyCRN : undefined;
  if (!encryptionKey) return storageClass;
  return { ...storageClass, parameters: { ...storageClass.parameters, encryptionKey, encrypted: "true" } };
}
