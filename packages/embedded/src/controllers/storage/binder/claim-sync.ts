import { objectKey } from "@stowage/kube";
import {
  bindingReasons,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  provisioningAnnotations,
  type StorageClass,
} from "@stowage/machinery";
import { errorText } from "../../kit/index.ts";
import { podsByClaim } from "../pod-volumes.ts";
import { type Binding, bind, markClaim, saveClaim } from "./binding.ts";
import { type ClaimSurroundings, desiredClaimStep } from "./claim-step.ts";

export async function syncClaim(b: Binding, claim: PersistentVolumeClaim): Promise<void> {
  const next = desiredClaimStep(claim, surroundingsOf(b, claim));
  switch (next.step) {
    case "bind":
      return await bind(b, next.volume, claim);
    case "takeClass":
      return await takeClass(b, claim, next.className);
    case "provision":
      return await handToProvisioner(b, claim, next.storageClass);
    case "wait":
      if (next.told !== undefined) b.events.event(claim, next.told.type, next.told.reason, next.told.message);
      await markClaim(b, claim, "Pending");
      return;
    case "tell":
      return b.events.event(claim, next.told.type, next.told.reason, next.told.message);
    case "lose": {
      if (claim.status?.phase === "Lost") return;
      const lost = await markClaim(b, claim, "Lost");
      return b.events.event(lost, next.told.type, next.told.reason, next.told.message);
    }
  }
}

function surroundingsOf({ volumes, classes, pods }: Binding, claim: PersistentVolumeClaim): ClaimSurroundings {
  return {
    volumes: () => volumes.list(),
    volume: (name) => volumes.getByKey(name),
    classes: () => classes.objects.list(),
    storageClass: (name) => classes.objects.getByKey(name),
    pods: () => pods.objects.byIndex(podsByClaim.name, objectKey(claim)),
  };
}

/** What comes of it is seen when the watch brings the claim, with its class. */
async function takeClass({ client }: Binding, claim: PersistentVolumeClaim, storageClassName: string): Promise<void> {
  await client.update(persistentVolumeClaims, { ...claim, spec: { ...claim.spec, storageClassName } });
}

/** Provisioners wait for the annotation; the older name of it is for those of old. */
async function handToProvisioner(
  b: Binding,
  claim: PersistentVolumeClaim,
  { provisioner }: StorageClass,
): Promise<void> {
  const { metadata } = claim;
  const isHanded = metadata.annotations?.[provisioningAnnotations.storageProvisioner] === provisioner;
  const annotations = {
    ...metadata.annotations,
    [provisioningAnnotations.betaStorageProvisioner]: provisioner,
    [provisioningAnnotations.storageProvisioner]: provisioner,
  };
  const handed = isHanded
    ? claim
    : await saveClaim(b, { ...claim, metadata: { ...metadata, annotations } }).catch(tell);
  const message =
    `Waiting for a volume to be created either by the external provisioner '${provisioner}' ` +
    "or manually by the system administrator. If volume creation is delayed, please verify that " +
    "the provisioner is running and correctly registered.";
  b.events.event(handed, "Normal", bindingReasons.externalProvisioning, message);

  function tell(error: unknown): never {
    b.events.event(claim, "Warning", bindingReasons.provisioningFailed, `Error saving claim: ${errorText(error)}`);
    throw error;
  }
}
