import { type ConfigMap, configMaps, type PolicyRule } from "@stowage/machinery";
import {
  applyObject,
  deleteObject,
  localCopies,
  type OperatorController,
  operatorController,
  watching,
} from "@stowage/operator";
import type { DriverOperatorContext } from "../../../driver-context.ts";

const SOURCE_NAMESPACE = "openshift-config-managed";
/** Of the source and of its copy beside the driver. */
export const cloudConfigName = "kube-cloud-config";
export const caKey = "ca-bundle.pem";
const RESYNC_MS = 20 * 60_000;

/** By namespace: what the controller has to be allowed beside what every driver's operator is. */
export const resourceSyncRules: Readonly<Record<string, readonly PolicyRule[]>> = {
  [SOURCE_NAMESPACE]: [
    { apiGroups: [""], resources: ["configmaps"], resourceNames: [cloudConfigName], verbs: ["list", "watch"] },
  ],
  "openshift-cluster-csi-drivers": [
    { apiGroups: [""], resources: ["configmaps"], verbs: ["create"] },
    {
      apiGroups: [""],
      resources: ["configmaps"],
      resourceNames: [cloudConfigName],
      verbs: ["get", "update", "delete"],
    },
  ],
};

/**
 * Keeps a copy of the cloud's configuration beside the driver, for the authority in it: a Pod mounts only what is in its namespace.
 * Watches: ConfigMap `openshift-config-managed/kube-cloud-config` and its copy. Owns: the copy. Writes condition:
 * `ResourceSyncControllerDegraded`. Deletes: the copy, when there is nothing to copy any more.
 */
export function resourceSyncController({
  deps,
  operator,
  namespace,
  configMaps: own,
}: DriverOperatorContext): OperatorController {
  const source = deps.informers.informer(configMaps, {
    namespace: SOURCE_NAMESPACE,
    fieldSelector: `metadata.name=${cloudConfigName}`,
  });
  const apply = { ...deps, local: localCopies([{ informer: own }]) };
  return operatorController(
    { ...deps, operator },
    {
      name: "ResourceSyncController",
      watches: [watching(source), watching(own, { matches: ({ metadata }) => metadata.name === cloudConfigName })],
      resyncMs: RESYNC_MS,
      async sync({ signal }) {
        const found = source.objects.get({ namespace: SOURCE_NAMESPACE, name: cloudConfigName });
        const copy = desiredCopy(namespace, found);
        if (found === undefined) await deleteObject(apply, copy, { signal });
        else await applyObject(apply, copy, { signal });
      },
    },
  );
}

function desiredCopy(namespace: string, source: ConfigMap | undefined): ConfigMap {
  const metadata = { name: cloudConfigName, namespace };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { ...source?.data } };
}
