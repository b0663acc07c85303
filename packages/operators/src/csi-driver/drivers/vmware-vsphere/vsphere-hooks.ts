import type { ClusterCSIDriver, Container, DaemonSet, Deployment, PodSpec, StorageClass } from "@stowage/machinery";
import { logVerbosity } from "@stowage/operator";
import type { DriverHooks, DriverSources } from "../../driver-profile.ts";
import { maxVolumesGate, maxVolumesPerNode, topologyCategories } from "./driver-settings.ts";
import { policyNames } from "./policy/storage-policy.ts";

/** What vCenter and the ClusterCSIDriver make different. */
export function vsphereHooks(sources: DriverSources): DriverHooks {
  return {
    controllerHooks: [
      withDebugLog,
      async (deployment, { operator, signal }) => {
        const { platformSpec } = await sources.facts.current(signal);
        return withTopology(deployment, topologyCategories(operator, platformSpec).length > 0);
      },
    ],
    nodeHooks: [
      withDebugLog,
      async (daemonSet, { operator, signal }) => {
        const gates = await sources.enabledGates?.(signal);
        return gates?.has(maxVolumesGate) ? withMaxVolumes(daemonSet, maxVolumesPerNode(operator)) : daemonSet;
      },
    ],
    storageClassHooks: [
      async (storageClass, { signal }) => {
        const { clusterId } = await sources.facts.current(signal);
        return withStoragePolicy(storageClass, clusterId);
      },
    ],
  };
}

/** Only the driver and its syncer know these variables. */
const TALKING = ["csi-driver", "vsphere-syncer"];

function withDebugLog<W extends Deployment | DaemonSet>(
  workload: W,
  { operator }: { readonly operator: ClusterCSIDriver },
): W {
  if (logVerbosity(operator.spec.logLevel) < logVerbosity("Debug")) return workload;
  const debug = { X_CSI_DEBUG: "true", LOGGER_LEVEL: "DEVELOPMENT" };
  return changed(workload, (container) => (TALKING.includes(container.name) ? withEnv(container, debug) : container));
}

/** The driver says of itself that it knows zones, also where there are none: the provisioner has to be told. */
function withTopology(deployment: Deployment, isWanted: boolean): Deployment {
  const flags = isWanted ? ["--feature-gates=Topology=true", "--strict-topology"] : ["--feature-gates=Topology=false"];
  return changed(deployment, (container) =>
    container.name === "csi-provisioner" ? { ...container, args: [...(container.args ?? []), ...flags] } : container,
  );
}

function withMaxVolumes(daemonSet: DaemonSet, limit: number): DaemonSet {
  return changed(daemonSet, (container) =>
    container.name === "csi-driver" ? withEnv(container, { MAX_VOLUMES_PER_NODE: String(limit) }) : container,
  );
}

/** The one that is made in vCenter before the class is. */
function withStoragePolicy(storageClass: StorageClass, clusterId: string): StorageClass {
  const parameters = { ...storageClass.parameters, StoragePolicyName: policyNames(clusterId).policy };
  return { ...storageClass, parameters };
}

function changed<W extends Deployment | DaemonSet>(workload: W, change: (container: Container) => Container): W {
  const { spec } = workload;
  if (spec?.template.spec === undefined) return workload;
  const pod: PodSpec = { ...spec.template.spec, containers: spec.template.spec.containers.map(change) };
  return { ...workload, spec: { ...spec, template: { ...spec.template, spec: pod } } };
}

function withEnv(container: Container, values: Readonly<Record<string, string>>): Container {
  const others = (container.env ?? []).filter(({ name }) => !(name in values));
  return { ...container, env: [...others, ...Object.entries(values).map(([name, value]) => ({ name, value }))] };
}
