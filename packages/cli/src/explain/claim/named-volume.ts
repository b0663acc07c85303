import { type PersistentVolumeClaim, persistentVolumes } from "@stowage/machinery";
import type { Facts } from "../facts.ts";
import { type Finding, field, keyOf, missing } from "../finding.ts";
import { recreate, remove } from "../mending.ts";
import { misfitsOf } from "./volume-fit.ts";

/** The volume that the claim asks for by name. */
export async function namedVolume(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const name = claim.spec?.volumeName ?? "";
  if (name === "") return undefined;
  const asked = field(claim, "spec.volumeName", name);
  const anew = recreate(claim, `volumeName: ${name}`, "volumeName: VOLUME");
  const volume = await facts.find(persistentVolumes, { name });
  if (volume === undefined) {
    return {
      cause: "VOLUME_NAMED_MISSING",
      says: `The claim asks for PersistentVolume "${name}", which does not exist.`,
      evidence: [asked, missing("PersistentVolume", { name })],
      mend: ["kubectl get pv", anew],
    };
  }
  const { claimRef } = volume.spec ?? {};
  const isItsOwn =
    claimRef?.namespace === claim.metadata.namespace &&
    claimRef?.name === claim.metadata.name &&
    (claimRef?.uid === undefined || claimRef.uid === claim.metadata.uid);
  if (claimRef !== undefined && !isItsOwn) {
    const isFormer = claimRef.name === claim.metadata.name && claimRef.namespace === claim.metadata.namespace;
    const whose = isFormer ? `a former claim ${keyOf(claimRef)}` : `the claim ${keyOf(claimRef)}`;
    return {
      cause: "VOLUME_NAMED_TAKEN",
      says: `The claim asks for PersistentVolume "${name}", which belongs to ${whose}.`,
      evidence: [
        asked,
        field(volume, "spec.claimRef", { namespace: claimRef.namespace, name: claimRef.name, uid: claimRef.uid }),
      ],
      mend: isFormer
        ? [`kubectl patch pv ${name} --type=json -p '[{"op":"remove","path":"/spec/claimRef"}]'`]
        : ["kubectl get pv", anew],
    };
  }
  const [misfit] = misfitsOf(volume, claim);
  if (misfit === undefined) return undefined;
  return {
    cause: misfit.cause,
    says: `The claim asks for PersistentVolume "${name}", whose ${misfit.field} is ${misfit.has} where the claim has ${misfit.wanted}.`,
    evidence: [
      asked,
      field(volume, misfit.field, misfit.has),
      field(claim, claimField[misfit.field] ?? misfit.field, misfit.wanted),
    ],
    mend: [remove(claim), `kubectl get pv ${name} -o yaml`],
  };
}

const claimField: Readonly<Record<string, string>> = { "spec.capacity.storage": "spec.resources.requests.storage" };
