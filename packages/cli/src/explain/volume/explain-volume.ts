import {
  attacherFinalizer,
  bindingReasons,
  type PersistentVolume,
  protectionFinalizers,
  provisioningFinalizers,
  volumeAttachments,
} from "@stowage/machinery";
import { type Check, runChecks } from "../check.ts";
import { rpcFailureIn } from "../driver/rpc-failure.ts";
import { sidecarDown } from "../driver/sidecar-checks.ts";
import { sidecarLog } from "../driver/sidecar-log.ts";
import type { Facts } from "../facts.ts";
import { type Finding, field, keyOf, missing, told } from "../finding.ts";

export function isVolumeWell({ metadata, status }: PersistentVolume): boolean {
  return (status?.phase === "Bound" || status?.phase === "Available") && metadata.deletionTimestamp === undefined;
}

/** It is used: deleting it has to wait for its claim. */
async function deletionProtected(volume: PersistentVolume): Promise<Finding | undefined> {
  const { deletionTimestamp, finalizers = [] } = volume.metadata;
  const isHeld = finalizers.includes(protectionFinalizers.volume) && volume.status?.phase === "Bound";
  if (deletionTimestamp === undefined || !isHeld) return undefined;
  const { claimRef = {} } = volume.spec ?? {};
  return {
    cause: "VOLUME_DELETED_IN_USE",
    says: `The volume is being deleted, and goes when claim ${keyOf(claimRef)} is gone.`,
    evidence: [
      field(volume, "metadata.finalizers", protectionFinalizers.volume),
      field(volume, "spec.claimRef", keyOf(claimRef)),
    ],
    mend: [`kubectl delete pvc ${claimRef.name} -n ${claimRef.namespace}`],
  };
}

async function stillAttached(volume: PersistentVolume, facts: Facts): Promise<Finding | undefined> {
  const isGoing = volume.metadata.deletionTimestamp !== undefined || volume.status?.phase === "Released";
  const isDeleted = volume.spec?.persistentVolumeReclaimPolicy === "Delete";
  if (!isGoing || !isDeleted) return undefined;
  const attached = (await facts.list(volumeAttachments)).filter(
    ({ spec }) => spec.source.persistentVolumeName === volume.metadata.name,
  );
  const [first] = attached;
  if (first === undefined) return undefined;
  const { detachError } = first.status ?? {};
  return {
    cause: detachError === undefined ? "VOLUME_STILL_ATTACHED" : "DETACH_REFUSED",
    says:
      detachError === undefined
        ? `The volume is to be deleted, and is still attached to node ${first.spec.nodeName}.`
        : `The volume is to be deleted, and the driver cannot detach it from node ${first.spec.nodeName}.`,
    evidence: [
      field(first, "spec.nodeName", first.spec.nodeName),
      ...(detachError === undefined ? [] : [field(first, "status.detachError.message", detachError.message ?? "")]),
    ],
    mend: [
      `kubectl get pods -A --field-selector spec.nodeName=${first.spec.nodeName}`,
      `kubectl describe volumeattachment ${first.metadata.name}`,
    ],
  };
}

async function deletionRefused(volume: PersistentVolume, facts: Facts): Promise<Finding | undefined> {
  const isGoing =
    volume.metadata.deletionTimestamp !== undefined || ["Released", "Failed"].includes(volume.status?.phase ?? "");
  if (!isGoing) return undefined;
  const event = (await facts.eventsOf(volume)).findLast(({ reason }) => reason === bindingReasons.deleteFailed);
  if (event === undefined) return undefined;
  const failure = rpcFailureIn(event.message);
  const log = await sidecarLog({ driver: volume.spec?.csi?.driver ?? "", role: "provisioner", about: volume }, facts);
  return {
    cause: "VOLUME_DELETION_REFUSED",
    says: `The driver could not delete the volume${failure === undefined ? "" : ` (DeleteVolume: ${failure.code})`}; it is tried again.`,
    evidence: [told(event), ...log],
    mend: [`kubectl describe pv ${volume.metadata.name}`, "stowage status"],
  };
}

/** Kept after its claim has gone, since the policy says so. */
async function released(volume: PersistentVolume): Promise<Finding | undefined> {
  const { persistentVolumeReclaimPolicy: policy, claimRef = {} } = volume.spec ?? {};
  if (volume.status?.phase !== "Released" || policy !== "Retain") return undefined;
  const { name } = volume.metadata;
  return {
    cause: "VOLUME_RELEASED",
    says: `The claim ${keyOf(claimRef)} of the volume is gone; the volume is kept, and nobody gets it before an administrator frees it.`,
    evidence: [
      field(volume, "status.phase", "Released"),
      field(volume, "spec.persistentVolumeReclaimPolicy", "Retain"),
      field(volume, "spec.claimRef.uid", claimRef.uid ?? ""),
    ],
    mend: [
      `kubectl patch pv ${name} --type=json -p '[{"op":"remove","path":"/spec/claimRef"}]'`,
      `kubectl delete pv ${name}`,
    ],
  };
}

async function provisionerGone(volume: PersistentVolume, facts: Facts): Promise<Finding | undefined> {
  const driver = volume.spec?.csi?.driver;
  const isLeft = volume.metadata.finalizers?.includes(provisioningFinalizers.volume) ?? false;
  if (volume.status?.phase !== "Released" || driver === undefined || !isLeft) return undefined;
  const events = await facts.eventsOf(volume);
  return sidecarDown({ driver, role: "provisioner", hasActed: events.length > 0 }, facts);
}

/** Detaching leaves its mark until somebody takes it away. */
async function attacherFinalizerLeft(volume: PersistentVolume, facts: Facts): Promise<Finding | undefined> {
  const driver = volume.spec?.csi?.driver ?? "";
  const finalizer = attacherFinalizer(driver);
  const { deletionTimestamp, finalizers = [], name } = volume.metadata;
  if (deletionTimestamp === undefined || !finalizers.includes(finalizer)) return undefined;
  const attached = (await facts.list(volumeAttachments)).some(({ spec }) => spec.source.persistentVolumeName === name);
  return attached ? undefined : sidecarDown({ driver, role: "attacher", hasActed: false }, facts);
}

const checks: readonly Check<PersistentVolume>[] = [
  deletionProtected,
  stillAttached,
  deletionRefused,
  provisionerGone,
  attacherFinalizerLeft,
  released,
];

export function explainVolume(volume: PersistentVolume, facts: Facts): Promise<readonly Finding[]> {
  return runChecks(volume, facts, checks);
}

export function explainMissingVolume(name: string): readonly Finding[] {
  return [
    {
      cause: "VOLUME_MISSING",
      says: `There is no PersistentVolume "${name}".`,
      evidence: [missing("PersistentVolume", { name })],
      mend: ["kubectl get pv"],
    },
  ];
}
