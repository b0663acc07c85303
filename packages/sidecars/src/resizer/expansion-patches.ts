import type { Patch } from "@stowage/kube";
import {
  findCondition,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type PersistentVolumeClaimCondition,
  type Quantity,
  resizeConditions,
  resizingAnnotations,
  setCondition,
} from "@stowage/machinery";
import { claimSizes, type ResizeStatus, resizeStatus, volumeSize } from "./claim-sizes.ts";
import { conditionPatch } from "./condition-patch.ts";

// Kubernetes' own end-to-end tests and users' tools look for these words.
const FILE_SYSTEM_MESSAGE = "Waiting for user to (re-)start a pod to finish file system resize of volume on node.";

const ownConditions: ReadonlySet<string> = new Set(Object.values(resizeConditions));

/** What is written before the driver is called. Undefined when all of it is there from an earlier try for the same size. */
export function expandingPatch(claim: PersistentVolumeClaim, target: Quantity, nowMs: number): Patch | undefined {
  const isNewTarget = !isAllocated(claim, target);
  const before = claim.status?.conditions ?? [];
  const kept = isNewTarget ? withoutResizeConditions(before) : before;
  const found = findCondition(before, resizeConditions.resizing);
  const conditions =
    found && !isNewTarget ? before : setCondition(kept, { type: resizeConditions.resizing, status: "True" }, nowMs);
  const status = {
    ...conditionsOf(before, conditions),
    ...(isNewTarget
      ? { allocatedResources: { storage: target }, ...resizeStatusOf("ControllerResizeInProgress") }
      : {}),
  };
  const annotations = withoutNotRequired(claim);
  if (Object.keys(status).length === 0 && annotations === undefined) return undefined;
  return claimPatch(claim, { status, annotations });
}

export function isAllocated(claim: PersistentVolumeClaim, target: Quantity): boolean {
  return claimSizes(claim).allocated?.equals(target) ?? false;
}

/** The volume has grown, and kubelet must see to the rest. */
export function nodePendingPatch(claim: PersistentVolumeClaim, nowMs: number): Patch {
  const before = claim.status?.conditions ?? [];
  const pending = { type: resizeConditions.fileSystemResizePending, status: "True", message: FILE_SYSTEM_MESSAGE };
  const status = {
    ...conditionsOf(before, setCondition(before, pending, nowMs)),
    ...resizeStatusOf("NodeResizePending"),
  };
  return claimPatch(claim, { status, annotations: withoutNotRequired(claim) });
}

/** The volume has grown, and nothing is left to do. */
export function expandedPatch(claim: PersistentVolumeClaim, size: Quantity): Patch {
  const before = claim.status?.conditions ?? [];
  const status = {
    capacity: { storage: size },
    ...conditionsOf(before, withoutResizeConditions(before)),
    ...resizeStatusOf(null),
  };
  return claimPatch(claim, { status, annotations: { [resizingAnnotations.nodeExpansionNotRequired]: "true" } });
}

/**
 * The driver has refused. Written whatever version the claim has by now: not to know of the failure would be worse than to write
 * it beside a change of somebody else.
 */
export function expansionErrorPatch(
  claim: PersistentVolumeClaim,
  { message, isInfeasible }: { readonly message: string; readonly isInfeasible: boolean },
  nowMs: number,
): Patch {
  const before = claim.status?.conditions ?? [];
  const error = { type: resizeConditions.controllerResizeError, status: "True", message };
  const status = {
    ...conditionsOf(before, setCondition(before, error, nowMs)),
    ...(isInfeasible ? resizeStatusOf("ControllerResizeInfeasible") : {}),
  };
  return { type: "strategic", patch: { status } };
}

/** After a try whose end is not known. Undefined when the claim says so already. */
export function uncertainPatch(claim: PersistentVolumeClaim): Patch | undefined {
  if (resizeStatus(claim) === "ControllerResizeInProgress") return undefined;
  return { type: "strategic", patch: { status: resizeStatusOf("ControllerResizeInProgress") } };
}

/** Undefined when the PersistentVolume says all of it already. */
export function grownVolumePatch(
  volume: PersistentVolume,
  size: Quantity,
  /** What users have until kubelet is done; undefined when nothing is left to kubelet. */
  capacityBefore: Quantity | undefined,
): Patch | undefined {
  const isNoted = volume.metadata.annotations?.[resizingAnnotations.preResizeCapacity] !== undefined;
  const note = capacityBefore === undefined || isNoted ? undefined : capacityBefore.toString();
  const isGrown = volumeSize(volume).equals(size);
  if (isGrown && note === undefined) return undefined;
  return {
    type: "strategic",
    patch: {
      ...(isGrown ? {} : { spec: { capacity: { storage: size } } }),
      ...(note === undefined ? {} : { metadata: { annotations: { [resizingAnnotations.preResizeCapacity]: note } } }),
    },
  };
}

/** Once users have what the volume has, nobody needs to know what they had before. */
export function withoutPreResizeCapacity(claim: PersistentVolumeClaim, volume: PersistentVolume): Patch | undefined {
  const isNoted = volume.metadata.annotations?.[resizingAnnotations.preResizeCapacity] !== undefined;
  if (!isNoted || claimSizes(claim).capacity.compare(volumeSize(volume)) < 0) return undefined;
  return { type: "strategic", patch: { metadata: { annotations: { [resizingAnnotations.preResizeCapacity]: null } } } };
}

function withoutResizeConditions(
  conditions: readonly PersistentVolumeClaimCondition[],
): PersistentVolumeClaimCondition[] {
  return conditions.filter(({ type }) => !ownConditions.has(type));
}

type Conditions = readonly PersistentVolumeClaimCondition[];

function conditionsOf(before: Conditions, after: Conditions): { conditions?: object[] } {
  const conditions = conditionPatch(before, after);
  return conditions.length === 0 ? {} : { conditions };
}

function resizeStatusOf(storage: ResizeStatus | null): object {
  return { allocatedResourceStatuses: { storage } };
}

function withoutNotRequired({ metadata }: PersistentVolumeClaim): object | undefined {
  const name = resizingAnnotations.nodeExpansionNotRequired;
  return metadata.annotations?.[name] === undefined ? undefined : { [name]: null };
}

/** For the version that it was made from, and no other. Annotations may be written with the status. */
function claimPatch(
  { metadata: { resourceVersion } }: PersistentVolumeClaim,
  { status, annotations }: { status: object; annotations: object | undefined },
): Patch {
  const metadata = annotations === undefined ? { resourceVersion } : { resourceVersion, annotations };
  return { type: "strategic", patch: { metadata, status } };
}
