import { type PersistentVolumeClaim, resizingAnnotations } from "@stowage/machinery";
import { claimSizes, type ResizeStatus, resizeStatus, wantsExpansion } from "./claim-sizes.ts";

/** Written by the resizer itself: looked at again because of them, a failing expansion would be tried at once, over and over. */
const ownStatuses: ReadonlySet<ResizeStatus | undefined> = new Set([
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizePending",
]);

/** Whether an update can make a difference to the expansion of a claim. */
export function isExpansionNews(claim: PersistentVolumeClaim, previous: PersistentVolumeClaim): boolean {
  const [now, before] = [claimSizes(claim), claimSizes(previous)];
  const status = resizeStatus(claim);
  return (
    !now.requested.equals(before.requested) ||
    now.capacity.compare(before.capacity) > 0 ||
    (status !== resizeStatus(previous) && !ownStatuses.has(status)) ||
    (wantsExpansion(claim) && !wantsExpansion(previous)) ||
    resizerOf(claim) !== resizerOf(previous)
  );
}

/** Whether an update can make a difference to the class of a claim's volume: another is asked for, or one has just been finished. */
export function isModificationNews(claim: PersistentVolumeClaim, previous: PersistentVolumeClaim): boolean {
  const { spec, status } = claim;
  if (status?.phase !== "Bound") return false;
  const wished = spec?.volumeAttributesClassName ?? "";
  const isAtRest = status.modifyVolumeStatus === undefined;
  return (
    wished !== (previous.spec?.volumeAttributesClassName ?? "") ||
    (isAtRest && wished !== (status.currentVolumeAttributesClassName ?? ""))
  );
}

function resizerOf({ metadata }: PersistentVolumeClaim): string | undefined {
  return metadata.annotations?.[resizingAnnotations.storageResizer];
}
