import {
  formatTime,
  type PersistentVolumeClaim,
  type PersistentVolumeClaimStatus,
  Quantity,
  resizeConditions,
  resizingAnnotations,
} from "@stowage/machinery";

/** What is to be done about the size of a volume on the node. */
export type ExpansionStep =
  /** The node has nothing to do. */
  | { readonly kind: "done" }
  /** It is somebody else's turn. */
  | { readonly kind: "wait" }
  | {
      readonly kind: "expand";
      /** The claim says the new size already: another node has expanded it, and this one has to as well. */
      readonly isClaimDone: boolean;
      /** Whoever resizes tells of each step in the claim; without it, they know only of the end. */
      readonly isTracked: boolean;
    };

type Claim = PersistentVolumeClaim;
type Status = PersistentVolumeClaimStatus;

const trackedSteps = new Set<string | undefined>(["NodeResizePending", "NodeResizeInProgress"]);
const ofResizing: ReadonlySet<string> = new Set(Object.values(resizeConditions));

/** The size that the volume is to get on the node: what was agreed on, or what the PersistentVolume says. */
export function wantedSize({ status }: Claim, volumeSize: Quantity): Quantity {
  const agreed = status?.allocatedResources?.storage;
  return isTracked(status) && agreed !== undefined ? Quantity.parse(agreed) : volumeSize;
}

export function expansionStep({ metadata, spec, status }: Claim, size: Quantity): ExpansionStep {
  const step = stepOf(status);
  if (!isTracked(status)) return { kind: "expand", isClaimDone: isAtLeast(status, size), isTracked: false };
  const isClaimDone = step === undefined && isAtLeast(status, size);
  const isShared = spec?.accessModes?.includes("ReadWriteMany") ?? false;
  const isNeeded = metadata.annotations?.[resizingAnnotations.nodeExpansionNotRequired] === undefined;
  if (isClaimDone && isShared && isNeeded) return { kind: "expand", isClaimDone, isTracked: true };
  if (trackedSteps.has(step)) return { kind: "expand", isClaimDone: false, isTracked: true };
  return isClaimDone ? { kind: "done" } : { kind: "wait" };
}

/** The size of a claim's volume as far as it is known; undefined when it is not. */
export function sizeOf(resources: Readonly<Record<string, string>> | undefined): Quantity | undefined {
  const text = resources?.storage;
  return text === undefined ? undefined : Quantity.parse(text);
}

function isTracked(status: Status | undefined): boolean {
  return stepOf(status) !== undefined || status?.allocatedResources !== undefined;
}

function stepOf(status: Status | undefined): string | undefined {
  return status?.allocatedResourceStatuses?.storage;
}

function isAtLeast(status: Status | undefined, size: Quantity): boolean {
  const current = sizeOf(status?.capacity);
  return current !== undefined && current.compare(size) >= 0;
}

/** What is written when the node begins. */
export function statusInProgress(): Record<string, unknown> {
  return { allocatedResourceStatuses: { storage: "NodeResizeInProgress" } };
}

/** What is written when the node could not do it. */
export function statusFailed(
  { status }: Claim,
  why: { readonly message: string; readonly isInfeasible: boolean; readonly nowMs: number },
): Record<string, unknown> {
  const { message, isInfeasible, nowMs } = why;
  const type = resizeConditions.nodeResizeError;
  const conditions = status?.conditions ?? [];
  const failed = {
    type,
    status: "True",
    lastTransitionTime: formatTime(nowMs),
    message: `failed to expand pvc with ${message}`,
  };
  // One that says so already stays as it is, with its first reason.
  const isTold = conditions.some((each) => each.type === type && each.status === "True");
  const others = conditions.filter((each) => each.type !== type);
  return {
    ...(isInfeasible && { allocatedResourceStatuses: { storage: "NodeResizeInfeasible" } }),
    conditions: isTold ? conditions : [...others, failed],
  };
}

/** What is written when the volume has its new size. */
export function statusFinished({ status }: Claim, size: Quantity): Record<string, unknown> {
  const { storage: _done, ...others } = status?.allocatedResourceStatuses ?? {};
  const isLast = Object.keys(others).length === 0;
  return {
    capacity: { storage: size.toString() },
    allocatedResourceStatuses: isLast ? null : { storage: null },
    conditions: (status?.conditions ?? []).filter(({ type }) => !ofResizing.has(type)),
  };
}
