import type { ControllerPublishVolumeRequestSchema, MessageInitShape } from "@stowage/csi";
import { type DriverProfile, mergedVolumeCapability } from "../driver/index.ts";
import type { AttachedVolume } from "./attached-volume.ts";

export type PublishRequest = MessageInitShape<typeof ControllerPublishVolumeRequestSchema>;

interface Publishing {
  readonly nodeId: string;
  readonly secrets: Record<string, string>;
  readonly defaultFsType: string;
}

/** @throws StowageError ACCESS_MODES_UNSUPPORTED */
export function publishRequest(
  { csi, spec }: AttachedVolume,
  driver: Pick<DriverProfile, "controller">,
  { nodeId, secrets, defaultFsType }: Publishing,
): PublishRequest {
  const { volumeMode, mountOptions, accessModes = [] } = spec;
  const wish = { volumeMode, mountOptions, fsType: csi.fsType || defaultFsType };
  return {
    volumeId: csi.volumeHandle,
    nodeId,
    volumeCapability: mergedVolumeCapability(accessModes, wish, driver),
    // The protocol forbids to ask for it where the driver cannot do it.
    readonly: driver.controller.has("PUBLISH_READONLY") && (csi.readOnly ?? false),
    volumeContext: { ...csi.volumeAttributes },
    secrets,
  };
}
