import { type PersistentVolume, type PersistentVolumeClaim, Quantity } from "@stowage/machinery";

/** What a claim wants, has, and is being given. */
export interface ClaimSizes {
  readonly requested: Quantity;
  /** What users of the claim have. */
  readonly capacity: Quantity;
  /** What was last asked of the driver. */
  readonly allocated?: Quantity;
}

export type ResizeStatus = NonNullable<
  NonNullable<PersistentVolumeClaim["status"]>["allocatedResourceStatuses"]
>[string];

export function claimSizes({ spec, status }: PersistentVolumeClaim): ClaimSizes {
  const allocated = status?.allocatedResources?.storage;
  return {
    requested: sizeOf(spec?.resources?.requests?.storage),
    capacity: sizeOf(status?.capacity?.storage),
    ...(allocated === undefined ? {} : { allocated: sizeOf(allocated) }),
  };
}

export function resizeStatus({ status }: PersistentVolumeClaim): ResizeStatus | undefined {
  return status?.allocatedResourceStatuses?.storage;
}

export function volumeSize({ spec }: PersistentVolume): Quantity {
  return sizeOf(spec?.capacity?.storage);
}

/** Only what is bound can grow. */
export function wantsExpansion(claim: PersistentVolumeClaim): boolean {
  const { requested, capacity } = claimSizes(claim);
  return claim.status?.phase === "Bound" && Boolean(claim.spec?.volumeName) && requested.compare(capacity) > 0;
}

function sizeOf(text: string | undefined): Quantity {
  return text === undefined ? Quantity.zero : Quantity.parse(text);
}
