import { type PersistentVolume, type PersistentVolumeClaim, StowageError } from "@stowage/machinery";
import { type ContentSourceInit, claimKey, isBlock, requestedBytes, specOf } from "../requests/index.ts";

export interface CloneSubject {
  /** The claim to fill. */
  readonly claim: PersistentVolumeClaim;
  readonly source: PersistentVolumeClaim | undefined;
  /** The PV that the source is bound to. */
  readonly sourceVolume: PersistentVolume | undefined;
  readonly driverName: string;
}

/** The volume to clone, for CreateVolume. Throws DATA_SOURCE_UNUSABLE, CLAIM_UNSUPPORTED. */
export function desiredCloneSource({ claim, source, sourceVolume, driverName }: CloneSubject): ContentSourceInit {
  if (source === undefined) return unusable("the claim to clone does not exist");
  checkSource(source, sourceVolume);
  const { csi, volumeMode } = sourceVolume?.spec ?? {};
  if (csi === undefined || csi.driver !== driverName)
    return unusable(`the claim ${claimKey(source)} is not of the driver ${driverName}, so it cannot be cloned`);
  checkFits(claim, source, volumeMode);
  return { type: { case: "volume", value: { volumeId: csi.volumeHandle } } };
}

function checkSource(source: PersistentVolumeClaim, volume: PersistentVolume | undefined): void {
  const name = `the claim ${claimKey(source)}`;
  if (source.status?.phase !== "Bound") unusable(`${name} must be Bound to be cloned; it is ${source.status?.phase}`);
  if (source.metadata.deletionTimestamp !== undefined) unusable(`${name} is being deleted, so it cannot be cloned`);
  if (volume === undefined) unusable(`the volume of ${name} is not known`);
  const { claimRef } = volume?.spec ?? {};
  const isItsOwn = claimRef?.uid === source.metadata.uid && claimRef?.name === source.metadata.name;
  if (!isItsOwn || volume?.status?.phase !== "Bound")
    unusable(`the volume ${volume?.metadata.name} is not bound to ${name}`);
}

function checkFits(claim: PersistentVolumeClaim, source: PersistentVolumeClaim, sourceMode = "Filesystem"): void {
  if (isBlock(claim) !== (sourceMode === "Block")) {
    unusable(
      `a claim and its clone must have the same volume mode: the source has ${sourceMode}, the claim asks for ${specOf(claim).volumeMode ?? "Filesystem"}`,
    );
  }
  const [asked, needed] = [requestedBytes(claim), requestedBytes(source)];
  if (asked < needed)
    unusable(`the claim asks for ${asked} bytes, but the claim ${claimKey(source)} to clone has ${needed}`);
}

function unusable(message: string): never {
  throw new StowageError("DATA_SOURCE_UNUSABLE", message);
}
