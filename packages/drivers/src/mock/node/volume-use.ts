import { CsiError, type NodePublishVolumeRequest, type NodeStageVolumeRequest } from "@stowage/csi";
import { requireVolume } from "../backend/lookup.ts";
import { DEFAULT_VOLUME_BYTES } from "../options.ts";
import type { NodeDeps } from "./node-deps.ts";

/** Set by kubelet for a volume that lives and dies with its Pod, and that no controller made or attached. */
const EPHEMERAL = "csi.storage.k8s.io/ephemeral";

export function isEphemeral({ volumeContext }: Pick<NodePublishVolumeRequest, "volumeContext">): boolean {
  return volumeContext[EPHEMERAL] === "true";
}

/**
 * That the volume exists can be told only where the controller is in the same process; that it was attached shows in what the
 * controller handed over.
 *
 * @throws CsiError NOT_FOUND, INVALID_ARGUMENT
 */
export function checkVolume(deps: NodeDeps, request: NodeStageVolumeRequest | NodePublishVolumeRequest): void {
  if (isEphemeral(request)) return;
  if (knowsVolumes(deps)) requireVolume(deps.backend, request.volumeId);
  if (deps.settings.attaches && request.publishContext.device === undefined)
    throw new CsiError("INVALID_ARGUMENT", `publish_context has no device: was ${request.volumeId} attached?`);
}

export function capacityOf({ backend }: NodeDeps, volumeId: string): bigint {
  return backend.volumes.get(volumeId)?.capacityBytes ?? DEFAULT_VOLUME_BYTES;
}

export function knowsVolumes({ settings }: NodeDeps): boolean {
  return settings.services.includes("controller");
}
