import type { ControllerExpandVolumeRequestSchema, MessageInitShape } from "@stowage/csi";
import { type PersistentVolume, type PersistentVolumeSpec, Quantity } from "@stowage/machinery";
import { type DriverProfile, mergedVolumeCapability } from "../driver/index.ts";
import { readSecret, secretRef } from "../secrets/index.ts";
import type { Resizing } from "./resizing.ts";

export interface GrownVolume {
  readonly size: Quantity;
  /** Kubelet must expand the file system, or more. */
  readonly isNodeWorkLeft: boolean;
}

type ExpandRequest = MessageInitShape<typeof ControllerExpandVolumeRequestSchema>;

/** @throws StowageError ACCESS_MODES_UNSUPPORTED */
export function expandRequest(
  spec: PersistentVolumeSpec,
  requiredBytes: bigint,
  driver: Pick<DriverProfile, "controller">,
): ExpandRequest {
  const { csi, accessModes = [], volumeMode, mountOptions } = spec;
  const wish = { volumeMode, mountOptions, fsType: csi?.fsType };
  return {
    volumeId: csi?.volumeHandle ?? "",
    capacityRange: { requiredBytes },
    volumeCapability: mergedVolumeCapability(accessModes, wish, driver),
  };
}

interface Wish {
  readonly target: Quantity;
  readonly signal: AbortSignal;
}

/** Has the driver expand the volume; a driver that does so on the node alone is not asked. */
export async function expandVolume(
  deps: Resizing & { readonly isNodeOnly: boolean },
  { spec = {} }: PersistentVolume,
  { target, signal }: Wish,
): Promise<GrownVolume> {
  if (deps.isNodeOnly) return { size: target, isNodeWorkLeft: true };
  const request = expandRequest(spec, target.toBytes(), deps.driver);
  const secrets = await readSecret(deps.client, secretRef(spec.csi?.controllerExpandSecretRef));
  const limits = { timeoutMs: deps.options.timeoutMs, signal };
  const { capacityBytes, nodeExpansionRequired } = await deps.csi.controller.controllerExpandVolume(
    { ...request, secrets },
    limits,
  );
  // Required of the driver; nothing is larger than what was asked for without its saying so.
  const size = capacityBytes === 0n ? target : Quantity.fromBytes(capacityBytes);
  return { size, isNodeWorkLeft: nodeExpansionRequired };
}
