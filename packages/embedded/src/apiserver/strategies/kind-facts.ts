import type { JsonObject } from "@stowage/machinery/apply";
import { metadataOf, sameJson } from "./json-fields.ts";
import type { GenerationRule, KindName } from "./kind-rules.ts";

/** Tables of what is the same for many kinds, from the original's registries. Kinds are written `group/Kind`. */

const createdOnUpdate: ReadonlySet<string> = new Set([
  "/Endpoints",
  "/Event",
  "/LimitRange",
  "/Service",
  "coordination.k8s.io/Lease",
  "events.k8s.io/Event",
  "node.k8s.io/RuntimeClass",
  "rbac.authorization.k8s.io/ClusterRole",
  "rbac.authorization.k8s.io/ClusterRoleBinding",
  "rbac.authorization.k8s.io/Role",
  "rbac.authorization.k8s.io/RoleBinding",
]);

const updatedByVersionOnly: ReadonlySet<string> = new Set([
  "admissionregistration.k8s.io/MutatingAdmissionPolicy",
  "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding",
  "admissionregistration.k8s.io/MutatingWebhookConfiguration",
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy",
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding",
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration",
  "apiextensions.k8s.io/CustomResourceDefinition",
  "apiregistration.k8s.io/APIService",
  "coordination.k8s.io/Lease",
  "node.k8s.io/RuntimeClass",
  "policy/PodDisruptionBudget",
  "storage.k8s.io/CSIDriver",
  "storage.k8s.io/CSINode",
  "storage.k8s.io/CSIStorageCapacity",
  "storage.k8s.io/VolumeAttachment",
]);

const returnedWhenDeleted: ReadonlySet<string> = new Set([
  "/Namespace",
  "/PersistentVolume",
  "/PersistentVolumeClaim",
  "/Pod",
  "/PodTemplate",
  "/ResourceQuota",
  "/Service",
  "/ServiceAccount",
  "storage.k8s.io/CSIDriver",
  "storage.k8s.io/CSINode",
  "storage.k8s.io/StorageClass",
  "storage.k8s.io/VolumeAttachment",
  "storage.k8s.io/VolumeAttributesClass",
]);

const specChanged: GenerationRule = (object, old) => !sameJson(object["spec"], old["spec"]);
const contentChanged: GenerationRule = (object, old) => !sameJson(content(object), content(old));

const generations: Readonly<Record<string, GenerationRule>> = {
  "/Pod": specChanged,
  "/PodTemplate": contentChanged,
  "/ReplicationController": specChanged,
  "admissionregistration.k8s.io/MutatingAdmissionPolicy": specChanged,
  "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding": specChanged,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": contentChanged,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": specChanged,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": specChanged,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": contentChanged,
  "apiextensions.k8s.io/CustomResourceDefinition": specChanged,
  "apps/DaemonSet": specChanged,
  "apps/Deployment": (object, old) => specChanged(object, old) || !sameJson(annotations(object), annotations(old)),
  "apps/ReplicaSet": specChanged,
  "apps/StatefulSet": specChanged,
  "batch/CronJob": specChanged,
  "batch/Job": specChanged,
  "discovery.k8s.io/EndpointSlice": (object, old) =>
    contentChanged(object, old) || !sameJson(metadataOf(object)["labels"], metadataOf(old)["labels"]),
  "networking.k8s.io/Ingress": specChanged,
  "networking.k8s.io/IngressClass": specChanged,
  "networking.k8s.io/NetworkPolicy": specChanged,
  "policy/PodDisruptionBudget": specChanged,
  "scheduling.k8s.io/PriorityClass": () => false,
};

/** A status write of these leaves all of the metadata alone; of the others it may change labels and the like. */
const metadataKeptByStatus: ReadonlySet<string> = new Set([
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy",
  "apiregistration.k8s.io/APIService",
  "networking.k8s.io/ServiceCIDR",
  "storage.k8s.io/VolumeAttachment",
]);

function content(object: JsonObject): JsonObject {
  const { metadata: _, status: __, ...rest } = object;
  return rest;
}

function annotations(object: JsonObject): JsonObject {
  return (metadataOf(object)["annotations"] ?? {}) as JsonObject;
}

export interface KindFacts {
  readonly allowsCreateOnUpdate: boolean;
  readonly allowsUnconditionalUpdate: boolean;
  readonly returnsDeletedObject: boolean;
  readonly statusKeepsMetadata: boolean;
  /** 1 for kinds that count from their creation on. */
  readonly firstGeneration: 1 | undefined;
  readonly generation: GenerationRule | undefined;
}

export function factsOf({ group, kind }: KindName): KindFacts {
  const key = `${group}/${kind}`;
  const counted = Object.hasOwn(generations, key) ? generations[key] : undefined;
  return {
    allowsCreateOnUpdate: createdOnUpdate.has(key),
    allowsUnconditionalUpdate: !updatedByVersionOnly.has(key),
    returnsDeletedObject: returnedWhenDeleted.has(key),
    statusKeepsMetadata: metadataKeptByStatus.has(key),
    firstGeneration: counted && 1,
    // A driver's generation is not set when it is created, and rises all the same.
    generation: counted ?? (key === "storage.k8s.io/CSIDriver" ? specChanged : undefined),
  };
}
