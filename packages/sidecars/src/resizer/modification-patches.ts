import { type CsiError, goCodeName, isFinalError } from "@stowage/csi";
import type { Patch } from "@stowage/kube";
import {
  findCondition,
  formatTime,
  modifyConditions,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type PersistentVolumeClaimCondition,
} from "@stowage/machinery";
import { conditionPatch } from "./condition-patch.ts";

type Condition = PersistentVolumeClaimCondition;

/** The class does not exist yet. Undefined when the claim says so already. */
export function pendingPatch(claim: PersistentVolumeClaim): Patch | undefined {
  if (claim.status?.modifyVolumeStatus?.status === "Pending") return undefined;
  return versionedPatch(claim, { modifyVolumeStatus: { status: "Pending" } });
}

/** Written before the driver is called, so that the class is known whatever happens to this process. */
export function modifyingPatch(claim: PersistentVolumeClaim, className: string, nowMs: number): Patch {
  const message = `Modifying volume to ${JSON.stringify(className)} is in progress.`;
  return versionedPatch(claim, {
    modifyVolumeStatus: { status: "InProgress", targetVolumeAttributesClassName: className },
    ...conditionsOf(claim, [{ type: modifyConditions.modifyingVolume, status: "True", message }], nowMs),
  });
}

export function modifyErrorPatch(claim: PersistentVolumeClaim, error: CsiError, nowMs: number): Patch {
  const className = JSON.stringify(claim.status?.modifyVolumeStatus?.targetVolumeAttributesClassName ?? "");
  const state = isFinalError(error) ? "failed. Waiting for retry." : "is still in progress.";
  const status = isInfeasible(error) ? "Infeasible" : "InProgress";
  const conditions = [
    { type: modifyConditions.modifyingVolume, status: "True", message: `Modifying volume to ${className} ${state}` },
    {
      type: modifyConditions.modifyVolumeError,
      status: "True",
      reason: goCodeName(error.grpcCode),
      message: error.details,
    },
  ];
  return versionedPatch(claim, { modifyVolumeStatus: { status }, ...conditionsOf(claim, conditions, nowMs) });
}

/** Of all that a driver can answer, this alone says that the class will never do. */
export function isInfeasible(error: CsiError): boolean {
  return error.grpcCode === "INVALID_ARGUMENT";
}

/** Undefined when the PersistentVolume says so already. */
export function modifiedVolumePatch(volume: PersistentVolume, className: string): Patch | undefined {
  if (volume.spec?.volumeAttributesClassName === className) return undefined;
  return { type: "strategic", patch: { spec: { volumeAttributesClassName: className } } };
}

/** Whatever version the claim has by now: the volume is modified. */
export function modifiedPatch(claim: PersistentVolumeClaim, className: string): Patch {
  const gone = Object.values(modifyConditions);
  const status = { modifyVolumeStatus: null, currentVolumeAttributesClassName: className, ...without(claim, gone) };
  return { type: "strategic", patch: { status } };
}

/** Undefined when nothing says that the volume is being modified. */
export function cancelledPatch(claim: PersistentVolumeClaim): Patch | undefined {
  if (findCondition(claim.status?.conditions, modifyConditions.modifyingVolume) === undefined) return undefined;
  return { type: "strategic", patch: { status: without(claim, [modifyConditions.modifyingVolume]) } };
}

function without({ status }: PersistentVolumeClaim, types: readonly string[]): { conditions?: object[] } {
  const before = status?.conditions ?? [];
  const after = before.filter(({ type }) => !types.includes(type));
  return after.length === before.length ? {} : { conditions: conditionPatch(before, after) };
}

/** These conditions carry when they were last said; when they began is kept as long as status and reason are the same. */
function conditionsOf({ status }: PersistentVolumeClaim, said: readonly Condition[], nowMs: number): object {
  const lastProbeTime = formatTime(nowMs);
  const conditions = said.map((condition) => {
    const before = findCondition(status?.conditions, condition.type);
    const isSame = before !== undefined && before.status === condition.status && before.reason === condition.reason;
    const lastTransitionTime = isSame ? before.lastTransitionTime : lastProbeTime;
    return { ...condition, lastProbeTime, lastTransitionTime };
  });
  return { conditions };
}

function versionedPatch({ metadata: { resourceVersion } }: PersistentVolumeClaim, status: object): Patch {
  return { type: "strategic", patch: { metadata: { resourceVersion }, status } };
}
