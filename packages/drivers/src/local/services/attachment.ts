import type { ControllerService } from "@stowage/csi";
import type { LocalDeps } from "../local-deps.ts";
import { mismatch, useOf } from "../requests/capability.ts";
import { refusal } from "../requests/refusal.ts";
import { requireVolume } from "./lookup.ts";
import { operate } from "./operation.ts";

type AttachmentCalls = Pick<ControllerService, "controllerPublishVolume" | "controllerUnpublishVolume">;

/** A local volume is attached by nature; this writes down to which node, for clusters that attach every volume. */
export function createAttachmentCalls(deps: LocalDeps): AttachmentCalls {
  const { volumes } = deps.state;
  return {
    async controllerPublishVolume({ volumeId, nodeId, readonly: isReadOnly, volumeCapability }) {
      await operate(deps, [`volume ${volumeId}`], async () => {
        const record = requireVolume(deps, volumeId);
        requireOwnNode(deps, volumeId, nodeId);
        const complaint = mismatch(record, useOf(volumeCapability));
        if (complaint) throw refusal("INVALID_ARGUMENT", complaint, "Use the volume as it was made.");
        const { attachment } = record;
        if (attachment && attachment.isReadOnly !== isReadOnly) {
          const how = attachment.isReadOnly ? "read-only" : "writable";
          throw refusal("ALREADY_EXISTS", `Volume ${volumeId} is attached to ${nodeId} ${how}.`, "Detach it first.");
        }
        if (attachment) return;
        requireFreeSlot(deps, volumeId);
        await volumes.put({ ...record, attachment: { nodeId, isReadOnly } });
      });
      return { publishContext: {} };
    },
    async controllerUnpublishVolume({ volumeId, nodeId }) {
      await operate(deps, [`volume ${volumeId}`], async () => {
        const record = volumes.get(volumeId);
        if (!record?.attachment || (nodeId !== "" && nodeId !== record.attachment.nodeId)) return;
        const { attachment: _detached, ...rest } = record;
        await volumes.put(rest);
      });
      return {};
    },
  };
}

function requireOwnNode({ options }: LocalDeps, volumeId: string, nodeId: string): void {
  if (nodeId === options.nodeId) return;
  const complaint = `Volume ${volumeId} is on node ${options.nodeId}; node ${nodeId} cannot reach it.`;
  throw refusal("NOT_FOUND", complaint, `Run the Pod on ${options.nodeId}.`);
}

function requireFreeSlot({ options, state }: LocalDeps, volumeId: string): void {
  const { maxVolumesPerNode, nodeId } = options;
  const attached = state.volumes.list().filter(({ attachment }) => attachment !== undefined).length;
  if (maxVolumesPerNode === 0 || attached < maxVolumesPerNode) return;
  const complaint = `Volume ${volumeId} would be one more than the ${maxVolumesPerNode} that node ${nodeId} may have.`;
  throw refusal("RESOURCE_EXHAUSTED", complaint, "Stop Pods there, or raise maxVolumesPerNode.");
}
