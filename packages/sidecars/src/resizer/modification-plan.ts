import type { PersistentVolumeClaim } from "@stowage/machinery";

export type ModificationPlan =
  /** The volume is as the claim wants it. */
  | { readonly kind: "none" }
  /** The claim does not care any more, and nothing is under way. */
  | { readonly kind: "cancelled" }
  /** `isResumed`: it was begun earlier, and may be under way. */
  | { readonly kind: "modify"; readonly className: string; readonly isResumed: boolean };

/**
 * Which class the volume of a claim is to get now. What was begun and may still be under way is finished first, even if another one
 * is wanted by now: two at once could end up as a mixture.
 */
export function modificationPlan(
  { spec, status }: PersistentVolumeClaim,
  /** The last modification certainly failed. */
  { hasFailed }: { readonly hasFailed: boolean },
): ModificationPlan {
  const wished = spec?.volumeAttributesClassName ?? "";
  const current = status?.currentVolumeAttributesClassName ?? "";
  const underWay = status?.modifyVolumeStatus;
  if (underWay === undefined && wished === current) return { kind: "none" };
  const isInProgress = underWay?.status === "InProgress";
  if (wished === "" && !isInProgress) return { kind: "cancelled" };
  const isResumed = isInProgress && (!hasFailed || wished === "");
  const target = underWay?.targetVolumeAttributesClassName ?? "";
  return { kind: "modify", className: isResumed ? target : wished, isResumed };
}

/** Whether the last try was for what the claim still wants. */
export function isSameWish({ spec, status }: PersistentVolumeClaim): boolean {
  const target = status?.modifyVolumeStatus?.targetVolumeAttributesClassName;
  return target !== undefined && target === spec?.volumeAttributesClassName;
}
