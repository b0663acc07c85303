import type { ClusterCSIDriver, DaemonSet, Deployment } from "@stowage/machinery";
import type { ClusterFacts, WorkloadHook } from "@stowage/operator";
import type { DriverSources } from "../driver-profile.ts";
import { withDriverAddition } from "../hooks/index.ts";

/** Where the driver looks for the endpoints of a cloud that it does not know. */
const ENDPOINTS_PATH = "/etc/azure/azurestackcloud.json";
/** The volume of the assets with the cloud's configuration, which has the endpoints under a key of their own. */
const CONFIG_VOLUME = "src-cloud-config";

const endpoints = {
  env: [{ name: "AZURE_ENVIRONMENT_FILEPATH", value: ENDPOINTS_PATH }],
  volumeMounts: [{ name: CONFIG_VOLUME, mountPath: ENDPOINTS_PATH, subPath: "endpoints" }],
};

export function isStackHub({ platformStatus }: Pick<ClusterFacts, "platformStatus">): boolean {
  return platformStatus.azure?.cloudName === "AzureStackCloud";
}

/** Tells the driver where the cloud is: each Azure Stack Hub is somewhere else. */
export function withStackHubEndpoints<W extends Deployment | DaemonSet>({
  facts,
}: Pick<DriverSources, "facts">): WorkloadHook<W, ClusterCSIDriver> {
  return async (workload, { signal }) =>
    isStackHub(await facts.current(signal)) ? withDriverAddition(workload, endpoints) : workload;
}
