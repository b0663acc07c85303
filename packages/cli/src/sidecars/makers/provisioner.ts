import { StowageError } from "@stowage/machinery";
import {
  createCapacityController,
  createNodeDeployment,
  createProvisioner,
  createTopologyPlanner,
  type OwnNode,
  provisionerDefaults,
  provisionerLease,
  readOwnNode,
  type Sidecar,
  type SidecarDeps,
} from "@stowage/sidecars";
import type { OptionValues } from "../../options/option-table.ts";
import { provisionerFlags } from "../flags/provisioner.ts";
import { defineSidecarMaker, type SidecarPlace } from "../sidecar-maker.ts";
import { callLimits } from "./call-limits.ts";

type Flags = OptionValues<typeof provisionerFlags.options>;

interface Making {
  readonly deps: SidecarDeps;
  readonly flags: Flags;
  readonly place: SidecarPlace;
  /** Set when deployed on each node. */
  readonly node: OwnNode | undefined;
}

export const provisionerMaker = defineSidecarMaker(provisionerFlags, {
  lease: provisionerLease,
  async create(deps, flags, place) {
    const node = flags.nodeDeployment ? await readOwnNode(deps.csi, nodeNameOf(place)) : undefined;
    const making: Making = { deps, flags, place, node };
    const deployment = nodeDeployment(making);
    const capacity = capacityController(making);
    const topology =
      deployment === undefined
        ? undefined
        : createTopologyPlanner({ ...deps, cluster: deployment.cluster }, topologyOptions(flags));
    const provisioner = createProvisioner(
      {
        ...deps,
        topology,
        node: deployment,
        onCapacityChanged: (className, places) => capacity?.onCapacityChanged(className, places),
      },
      provisionerOptions(making),
    );
    return together("provisioner", [provisioner, deployment, capacity]);
  },
});

function nodeNameOf({ nodeName }: SidecarPlace): string {
  if (nodeName !== undefined) return nodeName;
  throw new StowageError("SIDECAR_PLACE_UNKNOWN", "--node-deployment needs the name of the node in NODE_NAME");
}

function provisionerOptions({ flags, place, node }: Making) {
  return {
    ...provisionerDefaults,
    ...callLimits({ timeout: flags.timeout, workers: flags.workerThreads }, place),
    ...topologyOptions(flags),
    ...requestOptions(flags),
    namespace: place.namespace,
    volumeNamePrefix: flags.volumeNamePrefix,
    volumeNameUuidLength: flags.volumeNameUuidLength,
    cloningProtectionWorkers: flags.cloningProtectionThreads,
    snapshotOrphanSweepIntervalMs: flags.snapshotOrphanSweepInterval,
    controllerPublishReadOnly: flags.controllerPublishReadonly,
    preventVolumeModeConversion: flags.preventVolumeModeConversion,
    durableIntent: flags.durableIntent === "auto" ? ("ifAllowed" as const) : flags.durableIntent === "true",
    nodeName: node?.name,
  };
}

function topologyOptions({ strictTopology, immediateTopology }: Flags) {
  return { strictTopology, immediateTopology };
}

function requestOptions({ extraCreateMetadata, defaultFstype }: Flags) {
  return { extraCreateMetadata, defaultFsType: defaultFstype };
}

function nodeDeployment({ deps, flags, place, node }: Making) {
  if (node === undefined) return undefined;
  return createNodeDeployment(deps, {
    ...callLimits({ timeout: flags.timeout, workers: flags.workerThreads }, place),
    ...topologyOptions(flags),
    ...requestOptions(flags),
    node,
    immediateBinding: flags.nodeDeploymentImmediateBinding,
    baseDelayMs: flags.nodeDeploymentBaseDelay,
    maxDelayMs: flags.nodeDeploymentMaxDelay,
  });
}

function capacityController({ deps, flags, place, node }: Making) {
  if (!flags.enableCapacity) return undefined;
  // A client of its own, so that many such objects do not hold up provisioning.
  const client = place.limitedClient({ qps: flags.kubeApiCapacityQps, burst: flags.kubeApiCapacityBurst });
  return createCapacityController(
    { ...deps, client, ownNode: node },
    {
      ...callLimits({ timeout: flags.timeout, workers: flags.capacityThreads }, place),
      namespace: place.namespace,
      podName: place.podName,
      ownerLevel: flags.capacityOwnerrefLevel,
      pollIntervalMs: flags.capacityPollInterval,
      forImmediateBinding: flags.capacityForImmediateBinding,
    },
  );
}

function together(name: string, parts: readonly (Sidecar | undefined)[]): Sidecar {
  const there = parts.filter((part) => part !== undefined);
  return { name, run: async (signal) => void (await Promise.all(there.map((part) => part.run(signal)))) };
}
