import type { CSIDriver } from "@stowage/machinery";
import type { CsiVolume } from "./csi-volume.ts";
import { csiFailure } from "./volume-failure.ts";

/** Whether volumes of the driver are attached before they are mounted; drivers without an object of their own are taken to want it. */
export function isAttachWanted(driver: CSIDriver | undefined): boolean {
  return driver?.spec.attachRequired !== false;
}

/** Throws when the driver does not offer volumes of this kind. */
export function checkLifecycleMode(driver: CSIDriver | undefined, volume: CsiVolume): void {
  const mode = volume.isInline ? "Ephemeral" : "Persistent";
  const refused = (why: string) => {
    const text = `volume mode "${mode}" not supported by driver ${volume.driver} (${why})`;
    return csiFailure("transient", `mounter.SetupAt failed to check volume lifecycle mode: ${text}`);
  };
  if (driver === undefined) {
    if (volume.isInline) throw refused("no CSIDriver object");
    return;
  }
  const offered = driver.spec.volumeLifecycleModes ?? [];
  if (!offered.includes(mode)) {
    throw refused(`only supports [${offered.map((each) => `"${each}"`).join(" ")}]`);
  }
}

/** Whether the files of a volume are given to the Pod's group here, and not by the driver. */
export function isOwnershipOurs(driver: CSIDriver | undefined, volume: CsiVolume): boolean {
  const policy = driver?.spec.fsGroupPolicy ?? "ReadWriteOnceWithFSType";
  if (policy === "None" || volume.isReadOnly) return false;
  if (policy === "File") return true;
  if (volume.fsType === "") return false;
  return volume.isInline || hasOneNode(volume.accessModes);
}

function hasOneNode(modes: readonly string[] | undefined): boolean {
  return modes?.some((mode) => mode === "ReadWriteOnce" || mode === "ReadWriteOncePod") ?? false;
}
