import type { ControllerService } from "@stowage/csi";
import type { LocalDeps } from "../local-deps.ts";
import { mismatch, useOf } from "../requests/capability.ts";
import { refusal } from "../requests/refusal.ts";
import { chooseSize, type SizeRange } from "../requests/size.ts";
import { intentId } from "../state/intents.ts";
import { requireSpace } from "./capacity.ts";
import { nodeVolume, requireVolume } from "./lookup.ts";
import { operate, withIntent } from "./operation.ts";
import { finishExpansion } from "./recovery.ts";

/** The image grows here; its file system when the node is asked to, or when the volume is next staged. */
export function createExpansionCalls(deps: LocalDeps): Pick<ControllerService, "controllerExpandVolume"> {
  return {
    async controllerExpandVolume({ volumeId, capacityRange, volumeCapability }) {
      return operate(deps, [`volume ${volumeId}`], async () => {
        const record = requireVolume(deps, volumeId);
        const complaint = volumeCapability && mismatch(record, useOf(volumeCapability));
        if (complaint) throw refusal("INVALID_ARGUMENT", complaint, "Use the volume as it was made.");
        const capacityBytes = await expand(deps, volumeId, capacityRange);
        return { capacityBytes, nodeExpansionRequired: deps.contents.kind === "image" };
      });
    },
  };
}

async function expand(deps: LocalDeps, volumeId: string, range: SizeRange | undefined): Promise<bigint> {
  const record = requireVolume(deps, volumeId);
  if ((range?.requiredBytes ?? 0n) <= record.capacityBytes) return shrinkChecked(record.capacityBytes, range);
  const toBytes = chooseSize(range, record.capacityBytes);
  const obstacle = await deps.mounts.growthObstacle(nodeVolume(deps, record));
  if (obstacle) throw refusal("FAILED_PRECONDITION", obstacle.complaint, obstacle.nextStep);
  await requireSpace(deps, `Growing volume ${volumeId}`, toBytes - record.capacityBytes);
  const intent = { id: intentId("expand-volume", volumeId), operation: "expand-volume", volumeId, toBytes } as const;
  await withIntent(deps, intent, () => finishExpansion(deps, intent));
  return toBytes;
}

/** Volumes do not shrink: one that is larger than the limit cannot be made to fit. */
function shrinkChecked(currentBytes: bigint, range: SizeRange | undefined): bigint {
  if (!range || range.limitBytes === 0n || currentBytes <= range.limitBytes) return currentBytes;
  const complaint = `The volume has ${currentBytes} bytes, more than the limit of ${range.limitBytes}.`;
  throw refusal("OUT_OF_RANGE", complaint, "Raise the limit; volumes cannot shrink.");
}
