import type { GetCapacityRequestSchema, GetCapacityResponse, MessageInitShape } from "@stowage/csi";
import type { NewObject } from "@stowage/kube";
import {
  type CSIStorageCapacity,
  capacityLabels,
  capacityNamePrefix,
  type OwnerReference,
  parameterPrefix,
  Quantity,
  type StorageClass,
} from "@stowage/machinery";
import { segmentsOf, type TopologyTerm } from "../topology/index.ts";

export type CapacityAnswer = Pick<GetCapacityResponse, "availableCapacity" | "maximumVolumeSize">;

/** Whose objects they are. */
export interface CapacityIdentity {
  readonly driverName: string;
  readonly managedBy: string;
  readonly namespace: string;
  readonly owner?: OwnerReference;
}

/** Whether there are to be objects for the class. */
export function isTracked(
  { provisioner, volumeBindingMode }: Pick<StorageClass, "provisioner" | "volumeBindingMode">,
  { driverName, forImmediateBinding }: { driverName: string; forImmediateBinding: boolean },
): boolean {
  return provisioner === driverName && (forImmediateBinding || volumeBindingMode !== "Immediate");
}

/**
 * Without the parameters that are Kubernetes' own, as CreateVolume has them. The original passes those too, so that a driver which
 * refuses parameters that it does not know, as it should, never tells its capacity.
 */
function driverParameters(parameters: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).filter(([key]) => !key.startsWith(parameterPrefix)));
}

/** The capacity is taken to be the same for all access modes and file systems. */
export function capacityRequest(
  { parameters }: StorageClass,
  place: TopologyTerm,
): MessageInitShape<typeof GetCapacityRequestSchema> {
  const accessibleTopology = place.length === 0 ? undefined : { segments: segmentsOf(place) };
  return { parameters: driverParameters(parameters), accessibleTopology };
}

export function desiredCapacity(
  { storageClassName, place }: { storageClassName: string; place: TopologyTerm },
  answer: CapacityAnswer,
  { driverName, managedBy, namespace, owner }: CapacityIdentity,
): NewObject<CSIStorageCapacity> {
  return {
    metadata: {
      generateName: capacityNamePrefix,
      namespace,
      labels: { [capacityLabels.driverName]: driverName, [capacityLabels.managedBy]: managedBy },
      ...(owner && { ownerReferences: [owner] }),
    },
    storageClassName,
    // Also when empty, which is every node; without it, it would be none.
    nodeTopology: { matchLabels: segmentsOf(place) },
    ...figures(answer),
  };
}

/** A merge patch; undefined when the object says all this already. */
export function desiredPatch(
  { metadata, capacity, maximumVolumeSize }: CSIStorageCapacity,
  answer: CapacityAnswer,
  owner: OwnerReference | undefined,
): object | undefined {
  const wanted = figures(answer);
  const isSame = isSameAmount(capacity, wanted.capacity) && isSameAmount(maximumVolumeSize, wanted.maximumVolumeSize);
  const owners = metadata.ownerReferences ?? [];
  const isOwned = owner === undefined || owners.some(({ uid, controller }) => uid === owner.uid && controller === true);
  if (isSame && isOwned) return undefined;
  return {
    capacity: wanted.capacity,
    maximumVolumeSize: wanted.maximumVolumeSize ?? null,
    // The list is replaced as a whole: what somebody else has just added must not get lost.
    ...(!isOwned && {
      metadata: { resourceVersion: metadata.resourceVersion, ownerReferences: [...owners, owner] },
    }),
  };
}

function figures({ availableCapacity, maximumVolumeSize }: CapacityAnswer) {
  return {
    capacity: Quantity.fromBytes(availableCapacity).toString(),
    ...(maximumVolumeSize !== undefined && { maximumVolumeSize: Quantity.fromBytes(maximumVolumeSize).toString() }),
  };
}

function isSameAmount(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Quantity.parse(a).equals(Quantity.parse(b));
}
