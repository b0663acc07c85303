import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, metadataOf, specOf, textOf, textsOf, withMetadata } from "../../strategies/index.ts";
import { amountOf } from "../../strategies/kinds/amounts.ts";
import { type AdmissionPlugin, isAbout, isCreateOf, type ObjectAdmission, refusal } from "../admission-plugin.ts";
import { clusterResources } from "../cluster-objects.ts";
import { defaultClassName } from "./default-class.ts";

const oldClassAnnotation = "volume.beta.kubernetes.io/storage-class";
const defaultAnnotations = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

/** Claims that name no class get the default one: the newest, where there are several. */
export const defaultStorageClass: AdmissionPlugin = {
  name: "DefaultStorageClass",
  mutate(admission) {
    const { object, cluster } = admission;
    if (!isCreateOf(admission, "persistentvolumeclaims") || hasClass(object)) return object;
    const storageClassName = defaultClassName(cluster.list(clusterResources.storageClasses), defaultAnnotations);
    return storageClassName === undefined ? object : { ...object, spec: { ...specOf(object), storageClassName } };
  },
};

function hasClass(claim: JsonObject): boolean {
  const { annotations } = metadataOf(claim);
  return specOf(claim)["storageClassName"] !== undefined || fieldsOf(annotations)[oldClassAnnotation] !== undefined;
}

const finalizers: Readonly<Record<string, string>> = {
  "/persistentvolumes": "kubernetes.io/pv-protection",
  "/persistentvolumeclaims": "kubernetes.io/pvc-protection",
  "storage.k8s.io/volumeattributesclasses": "kubernetes.io/vac-protection",
};

/** Volumes, claims and their classes are not deleted while somebody uses them: controllers take the finalizer away. */
export const storageProtection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  mutate({ operation, resource: { group, plural }, subresource, object }) {
    const finalizer = finalizers[`${group}/${plural}`];
    if (operation !== "create" || subresource !== "" || finalizer === undefined) return object;
    const known = textsOf(metadataOf(object)["finalizers"]);
    return known.includes(finalizer) ? object : withMetadata(object, { finalizers: [...known, finalizer] });
  },
};

const cannotGrow =
  "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";

/** A claim grows when it is bound and its class allows it. */
export const claimResize: AdmissionPlugin = {
  name: "PersistentVolumeClaimResize",
  validate(admission) {
    const { object, old } = admission;
    if (!isAbout(admission, "persistentvolumeclaims") || old === undefined || !grows(object, old)) return;
    if (fieldsOf(old["status"])["phase"] !== "Bound") {
      throw refusal(admission, "Only bound persistent volume claims can be expanded");
    }
    if (!mayGrow(admission, old)) throw refusal(admission, cannotGrow);
  },
};

function grows(object: JsonObject, old: JsonObject): boolean {
  const [now, before] = [requestOf(object), requestOf(old)];
  return now !== undefined && (before === undefined ? !now.isZero() : now.compare(before) > 0);
}

function requestOf(claim: JsonObject) {
  return amountOf(fieldsOf(fieldsOf(specOf(claim)["resources"])["requests"])["storage"]);
}

function mayGrow({ object, cluster }: ObjectAdmission, old: JsonObject): boolean {
  const name = classOf(object);
  if (name === "" || name !== classOf(old)) return false;
  return cluster.get(clusterResources.storageClasses, name)?.["allowVolumeExpansion"] === true;
}

export function classOf(claim: JsonObject): string {
  const annotated = fieldsOf(metadataOf(claim)["annotations"])[oldClassAnnotation];
  return typeof annotated === "string" ? annotated : textOf(specOf(claim)["storageClassName"]);
}
