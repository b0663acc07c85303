import { type ControllerPublishVolumeRequest, type ControllerUnpublishVolumeRequest, CsiError } from "@stowage/csi";
import { accessModeOf, allowsManyNodes, attachmentOf, isSameAttachment } from "../backend/capability.ts";
import { missing, requireVolume } from "../backend/lookup.ts";
import type { MockVolume } from "../backend/volume.ts";
import type { MockDeps } from "../deps.ts";
import type { MockSettings } from "../options.ts";

/** Attaches the volume to the node and returns what the node needs to find it. */
export function publishVolume(deps: MockDeps, request: ControllerPublishVolumeRequest): Record<string, string> {
  const { settings, backend } = deps;
  const volume = requireVolume(backend, request.volumeId);
  if (!isAttachable(settings, request.nodeId)) missing("node", request.nodeId);
  const wished = attachmentOf(request.volumeCapability, request.readonly);
  const existing = volume.attachments[request.nodeId];
  if (existing === undefined) {
    checkOtherNodes(volume, request);
    checkLimit(deps, request.nodeId);
    backend.volumes.put({ ...volume, attachments: { ...volume.attachments, [request.nodeId]: wished } });
  } else if (!isSameAttachment(existing, wished)) {
    throw new CsiError("ALREADY_EXISTS", `${volume.id} is published to ${request.nodeId} in another way`);
  }
  return { device: `/dev/disk/by-id/${volume.id}`, readonly: String(request.readonly) };
}

/** What is gone, or was never attached, counts as detached. Without a node the volume is detached from all. */
export function unpublishVolume({ backend }: MockDeps, { volumeId, nodeId }: ControllerUnpublishVolumeRequest): void {
  const volume = backend.volumes.get(volumeId);
  if (volume === undefined) return;
  const { [nodeId]: removed, ...others } = volume.attachments;
  if (nodeId === "") backend.volumes.put({ ...volume, attachments: {} });
  else if (removed !== undefined) backend.volumes.put({ ...volume, attachments: others });
}

function isAttachable({ attachableNodes, nodeId: own }: MockSettings, nodeId: string): boolean {
  if (attachableNodes === "any") return true;
  return (attachableNodes ?? [own]).includes(nodeId);
}

/** Either side may ask for the volume alone: the one that has it, and the one that wants it. */
function checkOtherNodes(volume: MockVolume, request: ControllerPublishVolumeRequest): void {
  const isShared = allowsManyNodes(accessModeOf(request.volumeCapability));
  const holder = Object.entries(volume.attachments).find(
    ([, { accessMode }]) => !isShared || !allowsManyNodes(accessMode),
  );
  if (holder === undefined) return;
  throw new CsiError("FAILED_PRECONDITION", `${volume.id} is published to the node ${holder[0]}`);
}

function checkLimit({ settings, backend }: MockDeps, nodeId: string): void {
  const { maxVolumesPerNode } = settings;
  if (maxVolumesPerNode === 0 || backend.attachedTo(nodeId).length < maxVolumesPerNode) return;
  throw new CsiError("RESOURCE_EXHAUSTED", `${nodeId} has ${maxVolumesPerNode} volumes, which is as many as it can`);
}
