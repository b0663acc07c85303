export interface VolumeNaming {
  /** `--volume-name-prefix` */
  readonly volumeNamePrefix: string;
  /** `--volume-name-uuid-length`: how much of the uid is used, without its dashes; all of it, with them, when negative. */
  readonly volumeNameUuidLength: number;
}

/** Of the volume and of its PV. The same for the same claim, always: CreateVolume relies on it to make one volume only. */
export function volumeNameOf(claimUid: string, { volumeNamePrefix, volumeNameUuidLength }: VolumeNaming): string {
  const suffix = volumeNameUuidLength < 0 ? claimUid : claimUid.replaceAll("-", "").slice(0, volumeNameUuidLength);
  return `${volumeNamePrefix}-${suffix}`;
}
