import { isAlreadyExists } from "@stowage/kube";
import { type ClusterCSIDriver, clusterCSIDrivers, type LogLevel, type Storage } from "@stowage/machinery";
import {
  type Asset,
  cliName,
  generationStatus,
  type OperatorController,
  type OperatorSyncContext,
  operatorController,
  renderObject,
  watching,
} from "@stowage/operator";
import type { DriverOperatorEntry } from "../driver-operators/index.ts";
import type { StorageOperatorContext } from "../storage-operator-context.ts";
import { desiredDriverConditions } from "./driver-conditions.ts";

/**
 * Makes the driver's ClusterCSIDriver when there is none, unless the driver is optional, and tells in the Storage how the driver is. What
 * an administrator has written into an existing one is never changed.
 * Watches: the Storage, the ClusterCSIDriver. Owns: nothing; creates the ClusterCSIDriver. Writes conditions:
 * `<prefix>CSIDriverOperatorCR{Available,Progressing,Degraded,Upgradeable}` with the generation, `<prefix>CSIDriverOperatorDegraded`.
 */
export function driverResourceController(
  context: StorageOperatorContext,
  entry: DriverOperatorEntry,
  asset: Asset,
): OperatorController {
  const { conditionPrefix, driverName, allowsDisabled = false, isOptional = false } = entry;
  const { operator: client, driverResources } = context;
  const name = `${conditionPrefix}CSIDriverOperator`;
  return operatorController(context, {
    name,
    watches: [watching(driverResources, { matches: ({ metadata }) => metadata.name === driverName })],
    async sync(sync) {
      const known = driverResources.objects.get({ name: driverName });
      // Whoever has taken an optional driver away does not get it back, and nothing is said of it any more.
      if (known === undefined && isOptional) return client.applyStatus(`${name}CR`, {}, sync.signal);
      const resource = known ?? (await create(context, asset, sync));
      const conditions = desiredDriverConditions({
        conditionPrefix,
        conditions: resource.status?.conditions ?? [],
        allowsDisabled,
      });
      const generations = [generationStatus(clusterCSIDrivers, resource)];
      await client.applyStatus(`${name}CR`, { conditions, generations }, sync.signal);
    },
  });
}

/** The local copy may not have heard of one that was made a moment ago. */
async function create(
  { client, events }: StorageOperatorContext,
  asset: Asset,
  { operator, signal }: OperatorSyncContext<Storage>,
): Promise<ClusterCSIDriver> {
  const wanted = await renderObject<ClusterCSIDriver, Storage>(asset, {
    objectHooks: [withLogLevel],
    context: operator,
  });
  try {
    const created = await client.create(clusterCSIDrivers, wanted, { signal });
    events.normal("ClusterCSIDriverCreated", `Created ${cliName(wanted)} because it was missing`);
    return created;
  } catch (error) {
    if (isAlreadyExists(error)) return client.get(clusterCSIDrivers, { name: wanted.metadata.name ?? "" }, { signal });
    const why = error instanceof Error ? error.message : String(error);
    events.warning("ClusterCSIDriverCreateFailed", `Failed to create ${cliName(wanted)}: ${why}`);
    throw error;
  }
}

/** A new driver begins as talkative as storage is; from then on the two are apart. */
function withLogLevel(resource: ClusterCSIDriver, { spec }: Storage): ClusterCSIDriver {
  const logLevel: LogLevel = spec.logLevel || "Normal";
  return { ...resource, spec: { ...resource.spec, managementState: "Managed", logLevel, operatorLogLevel: logLevel } };
}
