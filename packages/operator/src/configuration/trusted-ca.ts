import type { ConfigMap } from "@stowage/machinery";

/** On a ConfigMap: the cluster's network operator fills in the authorities that the cluster trusts. Nobody does elsewhere. */
export const injectTrustedCaLabel = "config.openshift.io/inject-trusted-cabundle";

export const trustedCaKey = "ca-bundle.crt";

/** Whether there is a bundle to mount: the ConfigMap is made empty, and filled in a moment later or never. */
export function hasTrustedCaBundle(configMap: Pick<ConfigMap, "data"> | undefined): boolean {
  return (configMap?.data?.[trustedCaKey] ?? "").trim() !== "";
}
