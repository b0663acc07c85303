import type { ClusterCSIDriver, DaemonSet, Deployment, EnvVar } from "@stowage/machinery";
import type { ClusterFacts, WorkloadHook } from "@stowage/operator";
import type { DriverHooks, DriverSources } from "../../driver-profile.ts";
import { withAddition } from "../../hooks/index.ts";

/** Services of the cloud by the names that the Infrastructure has for them, and the variables that the driver reads. */
const endpointVariables: ReadonlyMap<string, string> = new Map([
  ["IAM", "IBMCLOUD_IAM_API_ENDPOINT"],
  ["ResourceController", "IBMCLOUD_RESOURCE_CONTROLLER_ENDPOINT"],
  ["Power", "IBMCLOUD_POWER_API_ENDPOINT"],
]);

/** What asks the cloud. The original leaves the second out, which then asks the public services from a cluster that cannot reach them. */
const askingContainers = ["csi-driver", "node-update-controller"];

export function powervsBlockHooks(sources: DriverSources): DriverHooks {
  return { controllerHooks: [withServiceEndpoints(sources)], nodeHooks: [withServiceEndpoints(sources)] };
}

/** A cluster in a network of its own reaches the cloud's services at addresses of its own. */
function withServiceEndpoints<W extends Deployment | DaemonSet>({
  facts,
}: Pick<DriverSources, "facts">): WorkloadHook<W, ClusterCSIDriver> {
  return async (workload, { signal }) => {
    const env = variablesOf(await facts.current(signal));
    return askingContainers.reduce((each, container) => withAddition(each, container, { env }), workload);
  };
}

function variablesOf({ platformStatus }: ClusterFacts): EnvVar[] {
  return (platformStatus.powervs?.serviceEndpoints ?? []).flatMap(({ name, url }) => {
    const variable = endpointVariables.get(name);
    return variable === undefined ? [] : [{ name: variable, value: url }];
  });
}
