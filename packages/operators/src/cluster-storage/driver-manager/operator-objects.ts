import type { ConfigMap } from "@stowage/machinery";
import { type OperatorController, type StaticResource, staticResourcesController } from "@stowage/operator";
import type { DriverOperatorAssets, DriverOperatorEntry } from "../driver-operators/index.ts";
import type { StorageOperatorContext } from "../storage-operator-context.ts";
import { operatorConfigText, type TlsSettings } from "../tls-settings-source.ts";

/**
 * What the driver's operator needs to run: its ServiceAccount, rights, Service, and the ConfigMap with the cluster's TLS settings.
 * Watches: the Storage, and the APIServer or the HostedControlPlane. Writes condition:
 * `<prefix>CSIDriverOperatorStaticControllerDegraded`, `<prefix>CSIDriverOperatorMgmtStaticControllerDegraded` in a management cluster.
 * Deletes: nothing.
 */
export function operatorObjects(
  context: StorageOperatorContext,
  { conditionPrefix }: DriverOperatorEntry,
  { fixed, config }: DriverOperatorAssets,
): OperatorController {
  const { tlsSettings, operators } = context;
  const { client, mapper } = operators;
  const name = operators.hosted === undefined ? "StaticController" : "MgmtStaticController";
  return staticResourcesController(
    { ...context, client, mapper },
    {
      name: `${conditionPrefix}CSIDriverOperator${name}`,
      watches: [tlsSettings],
      resources: async (_operator, signal) => [...fixed, withTlsSettings(config, await tlsSettings.current(signal))],
    },
  );
}

/**
 * What the operator may do in the guest of a hosted control plane, for whoever gives it the way in.
 * Watches: the Storage. Writes condition: `<prefix>CSIDriverOperatorStaticControllerDegraded`. Deletes: nothing.
 */
export function guestObjects(
  context: StorageOperatorContext,
  { conditionPrefix }: DriverOperatorEntry,
  { guest }: DriverOperatorAssets,
): OperatorController {
  return staticResourcesController(context, {
    name: `${conditionPrefix}CSIDriverOperatorStaticController`,
    resources: () => guest,
  });
}

function withTlsSettings(config: StaticResource, settings: TlsSettings): StaticResource {
  const object = config.object as ConfigMap;
  const data = { ...object.data, "config.yaml": operatorConfigText(settings) };
  return { ...config, object: { ...object, data } as ConfigMap };
}
