import type { ClusterCSIDriver, StorageClass } from "@stowage/machinery";
import type { ClusterFacts } from "@stowage/operator";
import type { DriverHooks, DriverSources } from "../../driver-profile.ts";
import { withGcpLabels, withGcpTags } from "../../hooks/index.ts";

/** In the order of the originals: hooks are told by their index. */
export function gcpPdHooks(sources: DriverSources): DriverHooks {
  return {
    controllerHooks: [withGcpLabels(sources), withGcpTags(sources, "--extra-tags")],
    wantsStorageClass,
    storageClassHooks: [withKmsKey],
  };
}

/** Regions of Google's that are one customer's alone. */
const DEDICATED_REGION = "u-";
const DEDICATED_DISK = "hyperdisk-balanced";

/** Such a region has one kind of disk, and elsewhere it is not what a class is made of unasked. */
function wantsStorageClass({ parameters }: StorageClass, { platformStatus }: ClusterFacts): boolean {
  const isDedicated = platformStatus.gcp?.region?.startsWith(DEDICATED_REGION) ?? false;
  return (parameters?.["type"] === DEDICATED_DISK) === isDedicated;
}

function withKmsKey(storageClass: StorageClass, { operator }: { readonly operator: ClusterCSIDriver }): StorageClass {
  const { driverType, gcp } = operator.spec.driverConfig ?? {};
  if (driverType !== "GCP" || gcp?.kmsKey === undefined) return storageClass;
  const { projectID, keyRing, name } = gcp.kmsKey;
  const location = gcp.kmsKey.location || "global";
  const key = `projects/${projectID}/locations/${location}/keyRings/${keyRing}/cryptoKeys/${name}`;
  return { ...storageClass, parameters: { ...storageClass.parameters, "disk-encryption-kms-key": key } };
}
