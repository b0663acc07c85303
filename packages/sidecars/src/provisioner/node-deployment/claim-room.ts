import type { GetCapacityRequestSchema, MessageInitShape } from "@stowage/csi";
import type { PersistentVolumeClaim, StorageClass } from "@stowage/machinery";
import type { SidecarDeps } from "../../sidecar.ts";
import { desiredCreateRequest, requestedBytes } from "../requests/index.ts";
import {
  type ClusterTopology,
  desiredRequirement,
  supportsTopology,
  type TopologyRequirementInit,
} from "../topology/index.ts";
import type { NodeDeploymentOptions } from "./options.ts";

export interface RoomDeps {
  readonly driver: SidecarDeps["driver"];
  readonly cluster: ClusterTopology;
}

interface Wanted {
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: StorageClass;
}

type CapacityRequest = MessageInitShape<typeof GetCapacityRequestSchema>;

/** What CreateVolume would be told if this node were selected. Throws when the class does not allow this node's place. */
export function ownRequirement(
  { driver, cluster }: RoomDeps,
  options: NodeDeploymentOptions,
  { claim, storageClass }: Wanted,
): TopologyRequirementInit | undefined {
  if (!supportsTopology(driver)) return undefined;
  const wish = { claim, allowedTopologies: storageClass.allowedTopologies, selectedNode: options.node.name };
  return desiredRequirement(wish, cluster, options);
}

/**
 * Asks for the same volume that would be made, in each place where it could be: room in one of them is enough. Mostly there is
 * one, this node's.
 */
export function roomRequests(deps: RoomDeps, options: NodeDeploymentOptions, wanted: Wanted): CapacityRequest[] {
  const { driver } = deps;
  const { parameters, volumeCapabilities } = desiredCreateRequest({ ...wanted, volumeName: "", driver }, options);
  const places = ownRequirement(deps, options, wanted)?.requisite ?? [];
  if (places.length === 0) return [{ parameters, volumeCapabilities }];
  return places.map((accessibleTopology) => ({ parameters, volumeCapabilities, accessibleTopology }));
}

/** Whether the driver has room for the claim here. A driver that cannot tell is taken to have. */
export async function hasRoom(
  deps: RoomDeps & Pick<SidecarDeps, "csi">,
  options: NodeDeploymentOptions,
  wanted: Wanted & { readonly signal: AbortSignal },
): Promise<boolean> {
  const neededBytes = requestedBytes(wanted.claim);
  if (neededBytes === 0n || !deps.driver.controller.has("GET_CAPACITY")) return true;
  const { timeoutMs } = options;
  for (const request of roomRequests(deps, options, wanted)) {
    const { availableCapacity } = await deps.csi.controller.getCapacity(request, { timeoutMs, signal: wanted.signal });
    if (neededBytes <= availableCapacity) return true;
  }
  return false;
}
