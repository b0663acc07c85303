import type { KubernetesObject } from "@stowage/machinery";
import { parseManifests } from "@stowage/operator";
import { readAssetFolder } from "@stowage/operators";
import { driverOperators } from "@stowage/operators/cluster-storage";
import { loadDriverProfile, renderDriver } from "@stowage/operators/csi-driver";
import { objectsOf, type ReleaseFiles } from "../../operators/chain/chain-payload.ts";
import type { Platform } from "./platform-table.ts";

/** Kinds of APIs that Kubernetes alone does not have, and that operators do without. */
const foreignKinds: ReadonlySet<string> = new Set([
  "CredentialsRequest",
  "PrometheusRule",
  "ServiceMonitor",
  "VolumeSnapshotClass",
]);

/** Of the payload, of the operators of the platform's drivers, and of the drivers. */
export async function wantedObjects(
  release: ReleaseFiles,
  { drivers, disabled = [], infrastructure }: Platform,
): Promise<KubernetesObject[]> {
  const entries = driverOperators.filter(({ id }) => drivers.includes(id));
  const enabled = entries.filter(({ id }) => !disabled.includes(id));
  const ofDrivers = await Promise.all(enabled.map(({ id }) => driverObjects(id)));
  const all = [
    ...objectsOf(release),
    ...entries.flatMap(({ assets }) => readAssetFolder(assets).flatMap(parseManifests)),
    ...ofDrivers.flat(),
  ];
  return all.filter(({ kind }) => infrastructure !== undefined || !foreignKinds.has(kind));
}

async function driverObjects(id: string): Promise<KubernetesObject[]> {
  const cluster = {
    topology: "HighlyAvailable",
    clusterId: "x",
    logLevel: "Normal",
    tlsProfile: "Intermediate",
  } as const;
  return renderDriver(await loadDriverProfile(id), { cluster, env: {} });
}
