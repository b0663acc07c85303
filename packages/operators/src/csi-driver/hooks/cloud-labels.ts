import type { ResourceTag } from "@stowage/machinery";

/** On everything that a cluster has made in AWS. Whoever destroys the cluster looks for it. */
export function ownedTag(clusterId: string): ResourceTag {
  return { key: `kubernetes.io/cluster/${clusterId}`, value: "owned" };
}

/** The same where a key may have neither dots nor slashes. */
export function ownedLabel(clusterId: string): ResourceTag {
  return { key: `kubernetes-io-cluster-${clusterId}`, value: "owned" };
}

/** As flags of drivers take them: `a=1,b=2`. */
export function pairsText(
  tags: readonly ResourceTag[],
  { between = "=", after = "," }: { readonly between?: string; readonly after?: string } = {},
): string {
  return tags.map(({ key, value }) => `${key}${between}${value}`).join(after);
}
