import { type KubeClient } from "@stowage/kube";
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
  StowageError,
  type Volume,
} from "@stowage/machinery";
import type { BoundVolume } from "../csi/csi-volume.ts";
import { failureText } from "../csi/volume-failure.ts";
import type { UsedVolumes } from "./pod-volume-names.ts";

const protectionFinalizer = "kubernetes.io/pvc-protection";

/** What the Pod says of the claim behind a volume; undefined when there is none. */
export function claimOf({ metadata }: Pod, volume: Volume): { name: string; isReadOnly: boolean } | undefined {
  const { persistentVolumeClaim: source, ephemeral, name } = volume;
  if (source !== undefined) return { name: source.claimName, isReadOnly: source.readOnly ?? false };
  return ephemeral === undefined ? undefined : { name: `${metadata.name}-${name}`, isReadOnly: false };
}

/** The claim and what it is bound to, as the Pod may use them. Throws in kubelet's words when it may not, or not yet. */
export async function readBoundClaim(client: KubeClient, pod: Pod, volume: Volume): Promise<BoundVolume> {
  const { namespace = "" } = pod.metadata;
  const name = claimOf(pod, volume)?.name ?? "";
  const about = `error processing PVC ${namespace}/${name}`;
  const claim = await client.get(persistentVolumeClaims, { namespace, name }).catch((error: unknown) => {
    throw unusable(`${about}: failed to fetch PVC from API server: ${failureText(error)}`, error);
  });
  const whyNot = claimComplaint(claim);
  if (whyNot !== undefined) throw unusable(`${about}: ${whyNot}`);
  if (volume.ephemeral !== undefined && !isOwnedBy(claim, pod)) {
    const ofPod = `${namespace}/${pod.metadata.name}`;
    throw unusable(`PVC ${namespace}/${name} was not created for pod ${ofPod} (pod is not owner)`);
  }
  const volumeName = claim.spec?.volumeName ?? "";
  const persistent = await client.get(persistentVolumes, { name: volumeName }).catch((error: unknown) => {
    throw unusable(`${about}: failed to fetch PV ${volumeName} from API server: ${failureText(error)}`, error);
  });
  const whyNotBound = bindingComplaint(persistent, claim);
  if (whyNotBound !== undefined) throw unusable(`${about}: ${whyNotBound}`);
  return { volume: persistent, claim };
}

/** Why a Pod cannot have the claim's volume. */
export function claimComplaint({ metadata, spec, status }: PersistentVolumeClaim): string | undefined {
  // A claim that Pods use cannot go; one that goes all the same must not get another user.
  if (metadata.deletionTimestamp !== undefined && !metadata.finalizers?.includes(protectionFinalizer)) {
    return "PVC is being deleted";
  }
  if (status?.phase !== "Bound") return "PVC is not bound";
  return (spec?.volumeName ?? "") === "" ? "PVC has empty pvc.Spec.VolumeName" : undefined;
}

export function bindingComplaint(
  { metadata, spec }: PersistentVolume,
  claim: PersistentVolumeClaim,
): string | undefined {
  const uid = spec?.claimRef?.uid;
  if (spec?.claimRef === undefined) {
    return `found PV object ${metadata.name} but it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim`;
  }
  if (uid === claim.metadata.uid) return undefined;
  return `found PV object ${metadata.name} but its pv.Spec.ClaimRef.UID ${uid ?? ""} does not point to claim.UID ${claim.metadata.uid}`;
}

/** Whether the Pod uses it as what it is: a file system, or a device. */
export function checkVolumeMode(name: string, { spec }: PersistentVolume, used: UsedVolumes): void {
  const mode = spec?.volumeMode ?? "Filesystem";
  const wrong = (field: string) => unusable(`volume ${name} has volumeMode ${mode}, but is specified in ${field}`);
  if (used.mounted.has(name) && mode !== "Filesystem") throw wrong("volumeMounts");
  if (used.devices.has(name) && mode !== "Block") throw wrong("volumeDevices");
}

function isOwnedBy(claim: PersistentVolumeClaim, { metadata }: Pod): boolean {
  const { ownerReferences = [], namespace } = claim.metadata;
  const isOwner = ownerReferences.some(({ controller, uid }) => controller === true && uid === metadata.uid);
  return isOwner && namespace === metadata.namespace;
}

function unusable(message: string, cause?: unknown): StowageError {
  return new StowageError("VOLUME_NOT_MOUNTED", message, cause === undefined ? {} : { cause });
}
