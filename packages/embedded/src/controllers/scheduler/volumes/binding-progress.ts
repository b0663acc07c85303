import { compareResourceVersions } from "@stowage/kube";
import {
  type KubernetesObject,
  type Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
  provisioningAnnotations,
} from "@stowage/machinery";
import { isFullyBound, isReachable, type VolumePlan } from "./volume-plan.ts";

/** What the server says, without what was only decided. */
export interface WrittenStorage {
  claim(key: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
}

/** `done`, `waiting`, or why it will come to nothing, in the words of kube-scheduler. */
export type Progress = "done" | "waiting" | { readonly failure: string };

/** How far the binder and the provisioner are with what was written for the Pod. */
export function bindingProgress(written: VolumePlan, node: Node, storage: WrittenStorage): Progress {
  const steps = [
    ...written.bindings.map((binding) => ofBinding(binding, node, storage)),
    ...written.provisions.map((claim) => ofProvision(claim, node, storage)),
  ];
  const failed = steps.find((step) => typeof step === "object");
  return failed ?? (steps.includes("waiting") ? "waiting" : "done");
}

function ofBinding({ volume, claim }: VolumePlan["bindings"][number], node: Node, storage: WrittenStorage): Progress {
  const { name = "" } = volume.metadata;
  const now = storage.volume(name);
  const claimNow = storage.claim(keyOf(claim));
  if (now === undefined) return { failure: `failed to check binding: could not find v1.PersistentVolume "${name}"` };
  if (claimNow === undefined) return absent("failed to check binding", claim);
  if (isOlder(now, volume)) return "waiting";
  if (!isReachable(now, node)) return unreachable(name, node);
  if (!now.spec?.claimRef?.uid) return { failure: `ClaimRef got reset for pv "${name}"` };
  return isFullyBound(claimNow) ? "done" : "waiting";
}

function ofProvision(claim: PersistentVolumeClaim, node: Node, storage: WrittenStorage): Progress {
  const now = storage.claim(keyOf(claim));
  if (now === undefined) return absent("failed to check provisioning pvc", claim);
  if (isOlder(now, claim)) return "waiting";
  const { name, annotations } = now.metadata;
  if (annotations === undefined) return { failure: `selectedNode annotation reset for PVC "${name}"` };
  // Whoever provisions takes the node away to have another chosen.
  if (annotations[provisioningAnnotations.selectedNode] !== node.metadata.name) {
    return { failure: `provisioning failed for PVC "${name}"` };
  }
  const volumeName = now.spec?.volumeName ?? "";
  const volume = storage.volume(volumeName);
  if (volumeName !== "" && volume === undefined) return "waiting";
  if (volume !== undefined && !isReachable(volume, node)) return unreachable(volumeName, node);
  return isFullyBound(now) ? "done" : "waiting";
}

function absent(what: string, claim: PersistentVolumeClaim): Progress {
  return { failure: `${what}: could not find v1.PersistentVolumeClaim "${keyOf(claim)}"` };
}

function unreachable(volumeName: string, { metadata }: Node): Progress {
  const why = "no matching NodeSelectorTerms";
  return { failure: `pv "${volumeName}" node affinity doesn't match node "${metadata.name}": ${why}` };
}

function keyOf({ metadata }: PersistentVolumeClaim): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function isOlder(now: KubernetesObject, written: KubernetesObject): boolean {
  const [known, expected] = [now.metadata.resourceVersion ?? "0", written.metadata.resourceVersion ?? "0"];
  return (compareResourceVersions(known, expected) ?? 0) < 0;
}
