import type { Informer } from "@stowage/kube";
import type { ConfigMap } from "@stowage/machinery";
import {
  applyObject,
  deleteObject,
  localCopies,
  type OperatorController,
  operatorController,
  watching,
} from "@stowage/operator";
import type { DriverOperatorContext } from "../../../driver-context.ts";
import { cloudConfigName, configNamespace } from "./cloud-source.ts";

/**
 * Keeps a copy of the cloud's configuration where the driver's Pods can mount it, for its authority.
 * Watches: the operator's resource, `cloud-provider-config` in `openshift-config` and in the driver's namespace. Owns: the latter. Writes
 * condition: `ResourceSyncControllerDegraded`. Deletes: the copy, when there is nothing to copy.
 */
export function cloudConfigCopy(
  { deps, operator, namespace, configMaps: own }: DriverOperatorContext,
  source: Informer<ConfigMap>,
): OperatorController {
  const apply = { ...deps, local: localCopies([{ informer: own }]) };
  return operatorController(
    { ...deps, operator },
    {
      name: "ResourceSyncController",
      watches: [watching(source), watching(own, { matches: ({ metadata }) => metadata.name === cloudConfigName })],
      async sync({ signal }) {
        const found = source.objects.get({ namespace: configNamespace, name: cloudConfigName });
        const copy = desiredCopy(found, namespace);
        if (found === undefined) await deleteObject(apply, copy, { signal });
        else await applyObject(apply, copy, { signal });
      },
    },
  );
}

function desiredCopy(found: ConfigMap | undefined, namespace: string): ConfigMap {
  const { data = {}, binaryData } = found ?? {};
  const metadata = { name: cloudConfigName, namespace };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data, ...(binaryData && { binaryData }) };
}
