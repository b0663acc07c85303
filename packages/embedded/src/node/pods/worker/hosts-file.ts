import type { Pod } from "@stowage/machinery";

const ownLines = [
  "# Kubernetes-managed hosts file.",
  "127.0.0.1\tlocalhost",
  "::1\tlocalhost ip6-localhost ip6-loopback",
  "fe00::0\tip6-localnet",
  "fe00::0\tip6-mcastprefix",
  "fe00::1\tip6-allnodes",
  "fe00::2\tip6-allrouters",
];
const CLUSTER_DOMAIN = "cluster.local";

export function hostnameOf({ metadata, spec }: Pod): string {
  return spec?.hostname ?? metadata.name ?? "";
}

/** `/etc/hosts` of a Pod: itself, and the aliases that it asks for. */
export function hostsFile(pod: Pod, podIPs: readonly string[]): string {
  const { metadata, spec } = pod;
  const name = hostnameOf(pod);
  const domain = spec?.subdomain && `${spec.subdomain}.${metadata.namespace}.svc.${CLUSTER_DOMAIN}`;
  const names = domain === undefined || domain === "" ? [name] : [`${name}.${domain}`, name];
  const own = podIPs.map((address) => [address, ...names].join("\t"));
  const aliases = (spec?.hostAliases ?? []).map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join("\t")}`);
  const told = aliases.length === 0 ? [] : ["", "# Entries added by HostAliases.", ...aliases];
  return `${[...ownLines, ...own, ...told].join("\n")}\n`;
}
