import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  provisioningAnnotations,
  storageClasses,
} from "@stowage/machinery";
import { allowed } from "../../explain/check.ts";
import { classSecretMissing } from "../../explain/class/class-secret.ts";
import type { Facts } from "../../explain/facts.ts";
import type { ClaimName } from "../records.ts";

interface Named {
  readonly subject: ClaimName;
  readonly uid: string;
  readonly claim: PersistentVolumeClaim | undefined;
  readonly volume: PersistentVolume | undefined;
  readonly driver: string | undefined;
}

/** Reads every Secret that the volume's class and the volume name, only so that their values are left out of what is said. */
export async function readSecretsOf(named: Named, facts: Facts): Promise<void> {
  for (const ref of secretsOfVolume(named.volume)) await allowed(() => facts.secretKeys(ref));
  for (const claim of await likeClaims(named, facts)) await allowed(() => classSecretMissing(claim, facts));
}

function secretsOfVolume(volume: PersistentVolume | undefined): readonly ClaimName[] {
  const csi = volume?.spec?.csi;
  const { deletionSecretName, deletionSecretNamespace } = provisioningAnnotations;
  const annotations = volume?.metadata.annotations ?? {};
  const refs = [
    csi?.controllerPublishSecretRef,
    csi?.controllerExpandSecretRef,
    csi?.nodeStageSecretRef,
    csi?.nodePublishSecretRef,
    csi?.nodeExpandSecretRef,
    { namespace: annotations[deletionSecretNamespace], name: annotations[deletionSecretName] },
  ];
  return refs.flatMap((ref) => (ref?.namespace && ref.name ? [{ namespace: ref.namespace, name: ref.name }] : []));
}

/** Of a claim that is gone nobody knows the class: it may have been any of its driver. */
async function likeClaims({ subject, uid, claim, driver }: Named, facts: Facts): Promise<PersistentVolumeClaim[]> {
  if (claim !== undefined) return [claim];
  const classes = (await allowed(() => facts.list(storageClasses))) ?? [];
  return classes
    .filter(({ provisioner }) => provisioner === driver)
    .map(({ metadata }) => ({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { ...subject, uid },
      spec: { storageClassName: metadata.name },
    }));
}
