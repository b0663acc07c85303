import type { ObjectReader } from "@stowage/kube";
import { type ConfigMap, type KubernetesObject, sanitizedDriverName } from "@stowage/machinery";
import type { DriverProfile } from "../driver-profile.ts";

/** Which sidecar leads, by the names that the sidecars give them; where each acts for its own node there is no leader. */
export function leaseNames(driverName: string): string[] {
  return [
    driverName,
    `external-attacher-leader-${driverName}`,
    `external-resizer-${driverName}`,
    `external-snapshotter-leader-${driverName}`,
  ].map(sanitizedDriverName);
}

/** Of the ConfigMaps in which provisioners note what they are about to make: one, or one for each node. */
export function journalPrefix(driverName: string): string {
  return `${sanitizedDriverName(driverName).toLowerCase()}-provisioning-intents`;
}

/**
 * What the driver's sidecars have made beside volumes, and do not take along. A journal that has an entry stays: it is the only
 * place that knows of the volume.
 */
export function leftoversOf(
  { driverName, namespace }: DriverProfile,
  { hasController, journals }: { readonly hasController: boolean; readonly journals: ObjectReader<ConfigMap> },
): KubernetesObject[] {
  const prefix = journalPrefix(driverName);
  const isJournal = (name: string) => (hasController ? name === prefix : name.startsWith(`${prefix}-`));
  const empty = journals.list().flatMap(({ metadata: { name = "" }, data }) => {
    const isEmpty = Object.keys(data ?? {}).length === 0;
    return isJournal(name) && isEmpty ? [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace } }] : [];
  });
  if (!hasController) return empty;
  const leases = leaseNames(driverName).map((name) => ({
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name, namespace },
  }));
  return [...empty, ...leases];
}
