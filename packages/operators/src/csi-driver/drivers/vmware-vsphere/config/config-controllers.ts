import type { Secret } from "@stowage/machinery";
import {
  applyObject,
  deleteObject,
  localCopies,
  type OperatorController,
  operatorController,
  watching,
} from "@stowage/operator";
import type { DriverOperatorContext } from "../../../driver-context.ts";
import { snapshotLimits, topologyCategories } from "../driver-settings.ts";
import type { ConfigSource } from "./config-source.ts";
import { desiredConfigText } from "./config-text.ts";
import { desiredFeatureStates, featureStatesName } from "./feature-states.ts";
import type { MigrationDatastore } from "./migration-datastore.ts";

/** What the driver's Pods mount; they restart when it changes. */
export const configSecretName = "vsphere-csi-config-secret";

const named = (name: string) => (object: { readonly metadata: { readonly name?: string } }) =>
  object.metadata.name === name;

/**
 * Keeps the configuration of the driver, with the passwords of its vCenters. Watches: the operator's resource, what `ConfigSource` does,
 * and its Secret. Owns: Secret `vsphere-csi-config-secret`. Writes condition: `VMwareVSphereDriverConfigControllerDegraded`. Deletes: the
 * Secret, on removal.
 */
export function configSecretController(
  context: DriverOperatorContext,
  { source, migration }: { readonly source: ConfigSource; readonly migration: MigrationDatastore },
): OperatorController {
  const { deps, operator, facts, namespace, secrets } = context;
  const apply = { ...deps, local: localCopies([{ informer: secrets }]) };
  const secretOf = (text: string): Secret => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: configSecretName, namespace },
    type: "Opaque",
    data: { "cloud.conf": Buffer.from(text).toString("base64") },
  });
  return operatorController(
    { ...deps, operator },
    {
      name: "VMwareVSphereDriverConfigController",
      watches: [...source.watches, watching(secrets, { matches: named(configSecretName) })],
      async sync({ operator: driver, signal }) {
        const { clusterId, platformSpec } = await facts.current(signal);
        const vcenters = await source.vcenters(signal);
        const migrationDatastoreUrl = await migration(vcenters, signal);
        const text = desiredConfigText({
          clusterId,
          vcenters,
          ...(migrationDatastoreUrl !== undefined && { migrationDatastoreUrl }),
          categories: topologyCategories(driver, platformSpec),
          limits: snapshotLimits(driver),
        });
        await applyObject(apply, secretOf(text), { signal });
      },
      remove: async ({ signal }) => void (await deleteObject(apply, secretOf(""), { signal })),
    },
  );
}

/**
 * Keeps the list of the driver's features. Watches: the operator's resource, the Infrastructure, and its ConfigMap. Owns: ConfigMap
 * `internal-feature-states.csi.vsphere.vmware.com`. Writes condition: `VMwareVSphereDriverFeatureConfigControllerDegraded`. Deletes: the
 * ConfigMap, on removal.
 */
export function featureStatesController(context: DriverOperatorContext): OperatorController {
  const { deps, operator, facts, namespace, configMaps } = context;
  const apply = { ...deps, local: localCopies([{ informer: configMaps }]) };
  return operatorController(
    { ...deps, operator },
    {
      name: "VMwareVSphereDriverFeatureConfigController",
      watches: [facts, watching(configMaps, { matches: named(featureStatesName) })],
      async sync({ operator: driver, signal }) {
        const { platformSpec } = await facts.current(signal);
        const hasTopology = topologyCategories(driver, platformSpec).length > 0;
        const vcenterCount = platformSpec.vsphere?.vcenters?.length ?? 0;
        await applyObject(apply, desiredFeatureStates({ namespace, hasTopology, vcenterCount }), { signal });
      },
      async remove({ signal }) {
        const any = desiredFeatureStates({ namespace, hasTopology: false, vcenterCount: 0 });
        await deleteObject(apply, any, { signal });
      },
    },
  );
}
