import type { Deployment } from "@stowage/machinery";
import type { HookContext } from "@stowage/operator";
import type { DriverSources } from "../driver-profile.ts";
import { ownedLabel, pairsText } from "./cloud-labels.ts";
import { withDriverAddition } from "./driver-container.ts";

/** Labels are chosen when the cluster is installed; its own comes last. */
export function withGcpLabels({ facts }: DriverSources) {
  return async (deployment: Deployment, { signal }: HookContext): Promise<Deployment> => {
    const { clusterId, platformStatus } = await facts.current(signal);
    const labels = [...(platformStatus.gcp?.resourceLabels ?? []), ownedLabel(clusterId)];
    return withDriverAddition(deployment, { args: [`--extra-labels=${pairsText(labels)}`] });
  };
}

/** Tags are defined by an organization or a project, which is named with each. Drivers have the same flag by different names. */
export function withGcpTags({ facts }: DriverSources, flag: "--extra-tags" | "--resource-tags") {
  return async (deployment: Deployment, { signal }: HookContext): Promise<Deployment> => {
    const tags = (await facts.current(signal)).platformStatus.gcp?.resourceTags ?? [];
    if (tags.length === 0) return deployment;
    const text = tags.map(({ parentID, key, value }) => `${parentID}/${key}/${value}`).join(",");
    return withDriverAddition(deployment, { args: [`${flag}=${text}`] });
  };
}
