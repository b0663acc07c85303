import type { NewObject } from "@stowage/kube";
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  provisionerIdentityAttribute,
  provisioningAnnotations,
  provisioningFinalizers,
  type StorageClass,
} from "@stowage/machinery";
import type { SecretRef } from "../../secrets/index.ts";
import { classNameOf, isBlock, specOf } from "./claim-facts.ts";
import { fsTypeOf } from "./class-parameters.ts";
import { type ClassSecret, classSecretRef } from "./class-secrets.ts";

/** A PV in all but what the driver's answer brings: handle, attributes, capacity, node affinity. */
export type VolumeTemplate = NewObject<PersistentVolume>;

export interface TemplateSubject {
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: StorageClass;
  readonly volumeName: string;
  readonly driverName: string;
}

export interface TemplateSettings {
  readonly defaultFsType: string;
  readonly controllerPublishReadOnly: boolean;
  /** `<ms>-<random>-<driver>` */
  readonly identity: string;
}

/** Throws SECRET_PARAMETERS_INVALID, CLASS_PARAMETERS_INVALID. */
export function desiredVolumeTemplate(subject: TemplateSubject, settings: TemplateSettings): VolumeTemplate {
  const { claim, storageClass, volumeName } = subject;
  const spec = specOf(claim);
  const policy = storageClass.reclaimPolicy ?? "Delete";
  return {
    metadata: {
      name: volumeName,
      annotations: annotationsOf(subject),
      // Of no use where the volume outlives its PV; kept off, it need not be taken away.
      ...(policy === "Delete" ? { finalizers: [provisioningFinalizers.volume] } : {}),
    },
    spec: {
      accessModes: spec.accessModes,
      ...(storageClass.mountOptions === undefined ? {} : { mountOptions: storageClass.mountOptions }),
      persistentVolumeReclaimPolicy: policy,
      storageClassName: classNameOf(claim),
      ...(spec.volumeMode === undefined ? {} : { volumeMode: spec.volumeMode }),
      ...(spec.volumeAttributesClassName ? { volumeAttributesClassName: spec.volumeAttributesClassName } : {}),
      claimRef: claimRefOf(claim),
      csi: csiSourceOf(subject, settings),
    },
  };
}

/** The Secret that CreateVolume and DeleteVolume need. */
export function provisionerSecretRef({ claim, storageClass, volumeName }: TemplateSubject): SecretRef | undefined {
  return classSecretRef("provisioner", storageClass.parameters ?? {}, { claim, volumeName });
}

function annotationsOf(subject: TemplateSubject): Record<string, string> {
  const { deletionSecretName, deletionSecretNamespace, modifySecretName, modifySecretNamespace, provisionedBy } =
    provisioningAnnotations;
  const deletion = provisionerSecretRef(subject);
  const modify = secretOf("controllerModify", subject);
  return {
    [provisionedBy]: subject.storageClass.provisioner,
    [deletionSecretName]: deletion?.name ?? "",
    [deletionSecretNamespace]: deletion?.namespace ?? "",
    ...(modify === undefined ? {} : { [modifySecretName]: modify.name, [modifySecretNamespace]: modify.namespace }),
  };
}

function csiSourceOf(subject: TemplateSubject, settings: TemplateSettings) {
  const { claim, storageClass, driverName } = subject;
  const accessModes = specOf(claim).accessModes ?? [];
  const fsType = isBlock(claim) ? "" : fsTypeOf(storageClass.parameters ?? {}, settings.defaultFsType);
  const isReadOnly =
    settings.controllerPublishReadOnly && accessModes.length === 1 && accessModes[0] === "ReadOnlyMany";
  return {
    driver: driverName,
    volumeHandle: "",
    volumeAttributes: { [provisionerIdentityAttribute]: settings.identity },
    ...(fsType === "" ? {} : { fsType }),
    ...(isReadOnly ? { readOnly: true } : {}),
    ...secretRefsOf(subject),
  };
}

const SECRET_FIELDS = {
  controllerPublish: "controllerPublishSecretRef",
  nodeStage: "nodeStageSecretRef",
  nodePublish: "nodePublishSecretRef",
  controllerExpand: "controllerExpandSecretRef",
  nodeExpand: "nodeExpandSecretRef",
} as const satisfies Partial<Record<ClassSecret, string>>;

function secretRefsOf(subject: TemplateSubject): Record<string, { name: string; namespace: string }> {
  const fields = Object.entries(SECRET_FIELDS) as [keyof typeof SECRET_FIELDS, string][];
  const refs = fields.map(([secret, field]) => [field, secretOf(secret, subject)] as const);
  return Object.fromEntries(refs.flatMap(([field, ref]) => (ref === undefined ? [] : [[field, { ...ref }]])));
}

function secretOf(secret: ClassSecret, { claim, storageClass, volumeName }: TemplateSubject): SecretRef | undefined {
  return classSecretRef(secret, storageClass.parameters ?? {}, { claim, volumeName });
}

/** Binds the volume to this very claim, so that another of the same name does not get it. */
function claimRefOf({ metadata }: PersistentVolumeClaim) {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid, resourceVersion };
}
