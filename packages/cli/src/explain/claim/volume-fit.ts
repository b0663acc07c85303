import { labelMatcherFrom, type PersistentVolume, type PersistentVolumeClaim, Quantity } from "@stowage/machinery";
import type { CauseCode } from "../causes.ts";
import { classNameOf } from "../class/class-checks.ts";

/** One respect in which a volume is not what a claim asks for. */
export interface Misfit {
  readonly cause: CauseCode;
  readonly field: string;
  readonly has: string;
  readonly wanted: string;
}

/** In the order in which Kubernetes looks; none where they fit. */
export function misfitsOf(volume: PersistentVolume, claim: PersistentVolumeClaim): readonly Misfit[] {
  return [sizeMisfit, classMisfit, modeMisfit, accessMisfit].flatMap((compare) => compare(volume, claim) ?? []);
}

export function requested({ spec }: PersistentVolumeClaim): Quantity {
  return Quantity.fromJson(spec?.resources?.requests?.storage ?? "0");
}

function sizeMisfit({ spec }: PersistentVolume, claim: PersistentVolumeClaim): Misfit | undefined {
  const size = Quantity.fromJson(spec?.capacity?.storage ?? "0");
  if (size.compare(requested(claim)) >= 0) return undefined;
  return {
    cause: "VOLUME_TOO_SMALL",
    field: "spec.capacity.storage",
    has: size.toString(),
    wanted: requested(claim).toString(),
  };
}

function classMisfit({ spec }: PersistentVolume, claim: PersistentVolumeClaim): Misfit | undefined {
  const [has, wanted] = [spec?.storageClassName ?? "", classNameOf(claim) ?? ""];
  if (has === wanted) return undefined;
  return { cause: "VOLUME_CLASS_DIFFERS", field: "spec.storageClassName", has: has || '""', wanted: wanted || '""' };
}

function modeMisfit({ spec }: PersistentVolume, claim: PersistentVolumeClaim): Misfit | undefined {
  const [has, wanted] = [spec?.volumeMode ?? "Filesystem", claim.spec?.volumeMode ?? "Filesystem"];
  return has === wanted ? undefined : { cause: "VOLUME_MODE_DIFFERS", field: "spec.volumeMode", has, wanted };
}

function accessMisfit({ spec }: PersistentVolume, claim: PersistentVolumeClaim): Misfit | undefined {
  const [has, wanted] = [spec?.accessModes ?? [], claim.spec?.accessModes ?? []];
  if (wanted.every((mode) => has.includes(mode))) return undefined;
  return {
    cause: "VOLUME_ACCESS_MODES_DIFFER",
    field: "spec.accessModes",
    has: has.join(", "),
    wanted: wanted.join(", "),
  };
}

export function isSelected({ metadata }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const { selector } = claim.spec ?? {};
  return selector === undefined || labelMatcherFrom(selector).matches(metadata.labels ?? {});
}
