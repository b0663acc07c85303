import type { Infrastructure, Node, PlatformType } from "@stowage/machinery";

/** What a node's `providerID` begins with, by the cloud that gave it. */
const platformByScheme: ReadonlyMap<string, PlatformType> = new Map([
  ["aws", "AWS"],
  ["azure", "Azure"],
  ["gce", "GCP"],
  ["openstack", "OpenStack"],
  ["vsphere", "VSphere"],
  ["ibm", "IBMCloud"],
  ["ibmcloud", "IBMCloud"],
  ["ibmpowervs", "PowerVS"],
  ["kubevirt", "KubeVirt"],
  ["nutanix", "Nutanix"],
  ["alicloud", "AlibabaCloud"],
  ["ovirt", "oVirt"],
  ["equinixmetal", "EquinixMetal"],
  ["packet", "EquinixMetal"],
  ["metal3", "BareMetal"],
  ["baremetalhost", "BareMetal"],
  ["libvirt", "Libvirt"],
]);

/** `aws:///eu-west-1a/i-0123` is of AWS. Undefined for none, and for a cloud that no driver here is for. */
export function platformOfProviderId(providerId: string | undefined): PlatformType | undefined {
  const [, scheme = ""] = /^([a-z0-9]+):\/\//.exec(providerId ?? "") ?? [];
  return platformByScheme.get(scheme);
}

/** Where nobody says it: what the nodes agree on. Nodes of two clouds in one cluster are more than can be guessed at. */
export function platformOfNodes(nodes: readonly Pick<Node, "spec">[]): PlatformType {
  const found = new Set(
    nodes.map(({ spec }) => platformOfProviderId(spec?.providerID)).filter((each) => each !== undefined),
  );
  const [platform = "None"] = found;
  return found.size === 1 ? platform : "None";
}

/** `status.platform` is of old, and read where the newer field is not. Empty: not said yet. */
export function platformOfInfrastructure({ status, spec }: Infrastructure): PlatformType {
  return status?.platformStatus?.type || status?.platform || spec.platformSpec?.type || "";
}
