import { VolumeHealthErrorType as Status } from "@stowage/csi";
import type { Ailment } from "../backend/volume.ts";

const STATUSES: Readonly<Record<Ailment["status"], Status>> = {
  degraded: Status.DEGRADED,
  inaccessible: Status.INACCESSIBLE,
  dataLoss: Status.DATA_LOSS,
};

/** The health of a volume as CSI 1.13 tells it. */
export function healthMessage(volumeId: string, ailment: Ailment | undefined) {
  if (ailment === undefined) return { volumeId, healthStatuses: [] };
  return { volumeId, healthStatuses: [{ ...ailment, status: STATUSES[ailment.status] }] };
}
