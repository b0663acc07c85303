import type { Volume } from "@stowage/csi";
import { type PersistentVolume, Quantity } from "@stowage/machinery";
import { desiredNodeAffinity } from "../topology/index.ts";
import type { VolumeTemplate } from "./volume-template.ts";

/** What is read of the driver's answer. */
export type MadeVolume = Pick<Volume, "volumeId" | "capacityBytes" | "volumeContext" | "accessibleTopology">;

/** The PV for a volume that was made. A driver that does not tell the size has made what it was asked for. */
export function desiredPersistentVolume(
  template: VolumeTemplate,
  volume: MadeVolume,
  askedBytes: bigint,
): VolumeTemplate {
  const { csi, ...spec } = template.spec as NonNullable<PersistentVolume["spec"]>;
  const nodeAffinity = desiredNodeAffinity(volume.accessibleTopology);
  return {
    ...template,
    spec: {
      ...spec,
      capacity: { storage: Quantity.fromBytes(volume.capacityBytes || askedBytes).toString() },
      ...(nodeAffinity === undefined ? {} : { nodeAffinity }),
      csi: {
        ...csi,
        driver: csi?.driver ?? "",
        volumeHandle: volume.volumeId,
        volumeAttributes: { ...csi?.volumeAttributes, ...volume.volumeContext },
      },
    },
  };
}
