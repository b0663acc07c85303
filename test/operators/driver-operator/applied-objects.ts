import type { KubernetesObject } from "@stowage/machinery";
import { parseManifests, replacePlaceholders } from "@stowage/operator";
import { readAssetFolder } from "@stowage/operators";
import type { DriverProfile } from "@stowage/operators/csi-driver";
import type { OperatorCluster } from "./operator-cluster.ts";

/** Everything that the assets hold, but for those of a mode that is not in use; with placeholders where only a running operator can tell. */
export function assetIdentities(
  { assets, namespace }: DriverProfile,
  otherMode?: "combined" | "separate",
): KubernetesObject[] {
  const values = { NAMESPACE: namespace, NODE_NAMESPACE: namespace };
  return readAssetFolder(assets)
    .filter(({ name }) => !name.endsWith(`-${otherMode}.yaml`))
    .flatMap((asset) => parseManifests({ ...asset, text: replacePlaceholders(asset.text, values) }));
}

/** What is on the server of these; undefined for those that are not. */
export function readAll(
  { client, mapper }: OperatorCluster,
  objects: readonly KubernetesObject[],
): Promise<(KubernetesObject | undefined)[]> {
  return Promise.all(
    objects.map(async ({ apiVersion, kind, metadata: { name = "", namespace } }) => {
      const [version = "", group = ""] = apiVersion.split("/").toReversed();
      const type = await mapper.resourceFor({ group, version, kind });
      return client.find<KubernetesObject>(type, type.namespaced ? { name, namespace } : { name });
    }),
  );
}

/** `DaemonSet name`, of those that the server does not have, or of those that it has. */
export async function namesOf(
  cluster: OperatorCluster,
  objects: readonly KubernetesObject[],
  which: "missing" | "there",
): Promise<string[]> {
  const found = await readAll(cluster, objects);
  return objects
    .filter((_, index) => (found[index] === undefined) === (which === "missing"))
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}
