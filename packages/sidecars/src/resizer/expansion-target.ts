import {
  isConditionTrue,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Quantity,
  resizeConditions,
} from "@stowage/machinery";
import { claimSizes, resizeStatus, volumeSize } from "./claim-sizes.ts";

/** What is known beside the objects. */
export interface ExpansionFacts {
  /** The last expansion certainly failed, and the driver is not at work on it any more. */
  readonly hasFailed: boolean;
  /** The driver expands on the node alone. */
  readonly isNodeOnly: boolean;
}

/**
 * To which size the volume of a claim that wants to grow is to be expanded now; undefined when it is kubelet's turn. It is not always
 * what is requested: what was begun and may still be under way, here or on the node, must end before another size is tried, or
 * the volume could end up larger than anybody accounts for.
 */
export function expansionTarget(
  claim: PersistentVolumeClaim,
  volume: PersistentVolume,
  facts: ExpansionFacts,
): Quantity | undefined {
  const isVolumeSmaller = volumeSize(volume).compare(claimSizes(claim).requested) < 0;
  return isVolumeSmaller ? targetOfSmaller(claim, volume, facts) : targetOfLarge(claim, facts);
}

/** The PersistentVolume is smaller than what is requested. */
function targetOfSmaller(
  claim: PersistentVolumeClaim,
  volume: PersistentVolume,
  { hasFailed }: ExpansionFacts,
): Quantity | undefined {
  const { requested, allocated = requested } = claimSizes(claim);
  switch (resizeStatus(claim)) {
    case "NodeResizeInfeasible":
      return allocated;
    case "NodeResizePending":
    case "NodeResizeInProgress":
      return volumeSize(volume).compare(allocated) >= 0 ? undefined : allocated;
    case "ControllerResizeInProgress":
      return hasFailed ? requested : allocated;
    case "ControllerResizeInfeasible":
    case undefined:
      return requested;
    default:
      return requested;
  }
}

/**
 * The PersistentVolume is as large as requested, or larger: kubelet is at work, or the end was not written down, or the request was
 * reduced meanwhile.
 */
function targetOfLarge(claim: PersistentVolumeClaim, { isNodeOnly }: ExpansionFacts): Quantity | undefined {
  const { requested, allocated } = claimSizes(claim);
  switch (resizeStatus(claim)) {
    case "NodeResizePending":
    case "NodeResizeInProgress":
      return undefined;
    case "NodeResizeInfeasible":
      // Said to be pending again, so that kubelet may try again.
      return isNodeOnly ? requested : (allocated ?? requested);
    case "ControllerResizeInProgress":
    case "ControllerResizeInfeasible":
      return allocated ?? requested;
    case undefined:
      if (allocated !== undefined) return allocated;
      // Of an API server that does not keep the status of a resize.
      return isConditionTrue(claim.status?.conditions, resizeConditions.fileSystemResizePending)
        ? undefined
        : requested;
  }
}
