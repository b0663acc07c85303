import { type ConfigMap, configMaps, type PolicyRule } from "@stowage/machinery";
import { applyObject, localCopies, type OperatorController, operatorController, watching } from "@stowage/operator";
import type { DriverOperatorContext } from "../driver-context.ts";

/** What Pods of the drivers mount. All drivers of Azure keep the same copy: it is the same whoever writes it. */
export const azureCloudConfig = "azure-cloud-config";
const SOURCE = { namespace: "openshift-config", name: "cloud-provider-config" } as const;

/** By namespace: what the controller has to be allowed beside what every driver's operator is. */
export const cloudConfigRules: Readonly<Record<string, readonly PolicyRule[]>> = {
  [SOURCE.namespace]: [
    { apiGroups: [""], resources: ["configmaps"], resourceNames: [SOURCE.name], verbs: ["list", "watch"] },
  ],
  "openshift-cluster-csi-drivers": [
    { apiGroups: [""], resources: ["configmaps"], verbs: ["create"] },
    {
      apiGroups: [""],
      resources: ["configmaps"],
      resourceNames: [azureCloudConfig],
      verbs: ["get", "update", "delete"],
    },
  ],
};

/**
 * Copies the cloud's configuration to where Pods of the driver can mount it. Without one nothing is copied, and a ConfigMap that
 * somebody has made by hand stays: that is how a cluster without `openshift-config` gets its own. Pods wait for it.
 * Watches: the operator's resource, ConfigMap `cloud-provider-config` of `openshift-config`, and the copy. Owns: ConfigMap
 * `azure-cloud-config`. Writes condition: `ResourceSyncControllerDegraded`. Deletes: nothing.
 */
export function cloudConfigController(context: DriverOperatorContext): OperatorController {
  const { deps, operator, namespace } = context;
  const source = deps.informers.informer(configMaps, {
    namespace: SOURCE.namespace,
    fieldSelector: `metadata.name=${SOURCE.name}`,
  });
  const apply = { ...deps, local: localCopies([{ informer: context.configMaps }]) };
  return operatorController(
    { ...deps, operator },
    {
      name: "ResourceSyncController",
      watches: [
        watching(source),
        watching(context.configMaps, { matches: ({ metadata }) => metadata.name === azureCloudConfig }),
      ],
      async sync({ signal }) {
        const found = source.objects.get(SOURCE);
        if (found !== undefined) await applyObject(apply, desiredCloudConfig(found, namespace), { signal });
      },
    },
  );
}

export function desiredCloudConfig({ data, binaryData }: ConfigMap, namespace: string): ConfigMap {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: azureCloudConfig, namespace },
    ...(data !== undefined && { data }),
    ...(binaryData !== undefined && { binaryData }),
  };
}
