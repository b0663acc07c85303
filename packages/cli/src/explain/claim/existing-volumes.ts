import { type PersistentVolume, type PersistentVolumeClaim, persistentVolumes } from "@stowage/machinery";
import { classNameOf, classOf, isProvisioned } from "../class/class-checks.ts";
import type { Facts } from "../facts.ts";
import { type Evidence, type Finding, field, keyOf } from "../finding.ts";
import { describe } from "../mending.ts";
import { isSelected, misfitsOf } from "./volume-fit.ts";

const SHOWN = 5;

/** A claim for which nothing is made: one of the volumes that are there has to fit. */
export async function existingVolumes(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const className = classNameOf(claim);
  const storageClass = await classOf(claim, facts);
  const isMade = storageClass !== undefined && isProvisioned(storageClass);
  if (claim.spec?.volumeName || className === undefined || isMade) return undefined;
  if (className !== "" && storageClass === undefined) return undefined;
  const ofClass = (await facts.list(persistentVolumes)).filter(
    ({ spec }) => (spec?.storageClassName ?? "") === className,
  );
  const free = ofClass.filter(({ spec }) => spec?.claimRef === undefined);
  if (free.some((volume) => isSelected(volume, claim) && misfitsOf(volume, claim).length === 0)) return undefined;
  const asked =
    storageClass === undefined
      ? field(claim, "spec.storageClassName", '""')
      : field(storageClass, "provisioner", storageClass.provisioner);
  const unselected = free.find((volume) => !isSelected(volume, claim) && misfitsOf(volume, claim).length === 0);
  if (unselected !== undefined) return selectsNone(claim, unselected);
  const what = className === "" ? "without a class" : `of class "${className}"`;
  return {
    cause: className === "" ? "VOLUME_NONE_FITS" : "CLASS_NO_PROVISIONER",
    says: `No volume is made for the claim, and of ${ofClass.length} volumes ${what} none is free and fits.`,
    evidence: [asked, ...ofClass.slice(0, SHOWN).map((volume) => whyNot(volume, claim))],
    mend: [describe(claim), "kubectl get pv", "kubectl apply -f VOLUME.yaml"],
  };
}

function selectsNone(claim: PersistentVolumeClaim, volume: PersistentVolume): Finding {
  const labels = volume.metadata.labels ?? {};
  const wanted = Object.entries(claim.spec?.selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  return {
    cause: "VOLUME_SELECTOR_MATCHES_NONE",
    says: `PersistentVolume "${volume.metadata.name}" would fit, but the claim's selector does not match its labels.`,
    evidence: [field(claim, "spec.selector", claim.spec?.selector), field(volume, "metadata.labels", labels)],
    mend: [`kubectl label pv ${volume.metadata.name} ${wanted.join(" ") || "KEY=VALUE"}`],
  };
}

function whyNot(volume: PersistentVolume, claim: PersistentVolumeClaim): Evidence {
  const { claimRef } = volume.spec ?? {};
  if (claimRef !== undefined) return field(volume, "spec.claimRef", keyOf(claimRef));
  const [misfit] = misfitsOf(volume, claim);
  return field(volume, misfit?.field ?? "metadata.labels", misfit?.has ?? volume.metadata.labels ?? {});
}
