import type { PersistentVolume, PersistentVolumeClaim } from "@stowage/machinery";

/** A volume that snapshots can be taken of. */
export interface SourceVolume {
  readonly volume: PersistentVolume;
  readonly driver: string;
  readonly handle: string;
}

export interface Obstacle {
  readonly problem: string;
  readonly nextStep: string;
}

/** The volume of a claim, if claim and volume have each other and a CSI driver has the volume; otherwise why not. */
export function sourceVolume(
  claim: PersistentVolumeClaim,
  volumeNamed: (name: string) => PersistentVolume | undefined,
): SourceVolume | Obstacle {
  const { name } = claim.metadata;
  if (claim.status?.phase !== "Bound") {
    return {
      problem: `the PVC ${name} is not yet bound to a PV, will not attempt to take a snapshot`,
      nextStep: "It is tried again once the claim is bound.",
    };
  }
  const volumeName = claim.spec?.volumeName ?? "";
  const volume = volumeNamed(volumeName);
  if (volume === undefined || !isBoundTo(volume, claim)) {
    const problem = volume === undefined ? "does not exist" : "is not bound to the claim";
    return {
      problem: `the PV ${volumeName} of the PVC ${name} ${problem}`,
      nextStep: "Repair the binding of claim and volume.",
    };
  }
  const csi = volume.spec?.csi;
  if (csi === undefined) {
    return {
      problem: `the PV ${volumeName} of the PVC ${name} is not a CSI volume: snapshots of others are not supported`,
      nextStep: "Back the volume up by other means, or move its data to a volume of a CSI driver.",
    };
  }
  return { volume, driver: csi.driver, handle: csi.volumeHandle };
}

export function isObstacle(found: SourceVolume | Obstacle): found is Obstacle {
  return "problem" in found;
}

function isBoundTo({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const ref = spec?.claimRef;
  if (ref === undefined || ref.name !== metadata.name || ref.namespace !== metadata.namespace) return false;
  return (ref.uid ?? "") === "" || ref.uid === metadata.uid;
}
