import {
  bindingReasons,
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  pods,
  protectionFinalizers,
  provisioningFinalizers,
  snapshotFinalizers,
  type VolumeSnapshot,
  volumeSnapshots,
} from "@stowage/machinery";
import type { Facts } from "../facts.ts";
import { type Finding, field, inNamespace, told } from "../finding.ts";
import { remove } from "../mending.ts";

export async function podsUsing(claim: PersistentVolumeClaim, facts: Facts): Promise<readonly Pod[]> {
  const { namespace, name } = claim.metadata;
  const all = await facts.list(pods, { namespace });
  return all.filter((pod) => claimNames(pod).includes(name ?? "") && !hasEnded(pod));
}

/** Those of ephemeral volumes too, which are named after the Pod and the volume. */
export function claimNames({ metadata, spec }: Pod): readonly string[] {
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName];
    return ephemeral === undefined ? [] : [`${metadata.name}-${name}`];
  });
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

export async function lostVolume(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  if (claim.status?.phase !== "Lost") return undefined;
  const reasons: readonly string[] = [bindingReasons.claimLost, bindingReasons.claimMisbound];
  const events = (await facts.eventsOf(claim)).filter(({ reason }) => reasons.includes(reason ?? ""));
  return {
    cause: "CLAIM_LOST",
    says: `The PersistentVolume "${claim.spec?.volumeName}" that the claim was bound to is gone or belongs to another.`,
    evidence: [
      field(claim, "status.phase", "Lost"),
      field(claim, "spec.volumeName", claim.spec?.volumeName ?? ""),
      ...events.slice(-1).map(told),
    ],
    mend: [`kubectl get pv ${claim.spec?.volumeName}`, remove(claim)],
  };
}

export async function deletionHeldByPods(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const { deletionTimestamp, finalizers = [] } = claim.metadata;
  if (deletionTimestamp === undefined || !finalizers.includes(protectionFinalizers.claim)) return undefined;
  const users = await podsUsing(claim, facts);
  if (users.length === 0) return undefined;
  return {
    cause: "CLAIM_DELETED_IN_USE",
    says: `The claim is being deleted, and goes when no Pod uses it any more; ${users.length} do.`,
    evidence: [
      field(claim, "metadata.deletionTimestamp", deletionTimestamp),
      ...users.map((pod) => field(pod, "spec.volumes", claim.metadata.name ?? "")),
    ],
    mend: users.map(remove),
  };
}

/** A copy of it is under way: a snapshot is taken of it, or it is cloned. */
export async function deletionHeldByCopy(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const { deletionTimestamp, finalizers = [], namespace, name } = claim.metadata;
  const copying = [provisioningFinalizers.cloningProtection, snapshotFinalizers.claimAsSource];
  const held = copying.find((finalizer) => finalizers.includes(finalizer));
  if (deletionTimestamp === undefined || held === undefined) return undefined;
  const claims = (await facts.list(persistentVolumeClaims, { namespace })).filter(
    ({ spec, status }) => spec?.dataSource?.name === name && status?.phase !== "Bound",
  );
  const snapshots: readonly VolumeSnapshot[] = (await facts.list(volumeSnapshots, { namespace })).filter(
    ({ spec, status }) => spec.source.persistentVolumeClaimName === name && status?.readyToUse !== true,
  );
  const copies = [...claims, ...snapshots];
  return {
    cause: "CLAIM_DELETED_WHILE_COPIED",
    says: "The claim is being deleted, and goes when the copy that is being made of it is complete.",
    evidence: [
      field(claim, "metadata.finalizers", held),
      ...copies.map((copy) => field(copy, "metadata.name", copy.metadata.name)),
    ],
    mend: copies.map(
      (copy) => `stowage explain ${copy.kind.toLowerCase()} ${copy.metadata.name}${inNamespace(copy.metadata)}`,
    ),
  };
}

export async function deletionHeldByOthers(claim: PersistentVolumeClaim): Promise<Finding | undefined> {
  const { deletionTimestamp, finalizers = [], name } = claim.metadata;
  const known: readonly string[] = [
    protectionFinalizers.claim,
    provisioningFinalizers.cloningProtection,
    snapshotFinalizers.claimAsSource,
  ];
  const foreign = finalizers.filter((finalizer) => !known.includes(finalizer));
  if (deletionTimestamp === undefined || foreign.length === 0) return undefined;
  const patch = JSON.stringify({ metadata: { finalizers: finalizers.filter((each) => known.includes(each)) } });
  return {
    cause: "CLAIM_DELETION_HELD",
    says: `The claim is being deleted, and ${foreign.join(", ")} keeps it until whoever set that has taken it away.`,
    evidence: [field(claim, "metadata.finalizers", foreign)],
    mend: [`kubectl patch pvc ${name}${inNamespace(claim.metadata)} --type=merge -p '${patch}'`],
  };
}
