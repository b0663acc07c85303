import { FieldSet } from "./field-set.ts";
import type { FieldFilter } from "./managed-kind.ts";
import { withoutPaths } from "./managed-kind.ts";
import { fieldPath } from "./path-element.ts";

/**
 * What a write through a resource of a built-in kind cannot change, and so never owns. Most kinds with a status leave it alone
 * on the main resource and leave all but it alone on the subresource; this lists how each does it, for that differs.
 */
type Reset = readonly (readonly string[])[];

const status: Reset = [["status"]];
const spec: Reset = [["spec"]];
const specAndMetadata: Reset = [["spec"], ["metadata"]];

const statusKinds: Readonly<Record<string, Reset>> = {
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy": specAndMetadata,
  "apiextensions.k8s.io/v1/CustomResourceDefinition": spec,
  "apiregistration.k8s.io/v1/APIService": specAndMetadata,
  "apps/v1/DaemonSet": spec,
  "apps/v1/Deployment": [["spec"], ["metadata", "labels"]],
  "apps/v1/ReplicaSet": spec,
  "apps/v1/StatefulSet": spec,
  "autoscaling/v1/HorizontalPodAutoscaler": spec,
  "autoscaling/v2/HorizontalPodAutoscaler": spec,
  "batch/v1/CronJob": spec,
  "batch/v1/Job": spec,
  "certificates.k8s.io/v1/CertificateSigningRequest": [["spec"], ["status", "conditions"]],
  "networking.k8s.io/v1/Ingress": spec,
  "networking.k8s.io/v1/ServiceCIDR": specAndMetadata,
  "policy/v1/PodDisruptionBudget": spec,
  "storage.k8s.io/v1/VolumeAttachment": specAndMetadata,
  "v1/Namespace": spec,
  "v1/Node": spec,
  "v1/PersistentVolume": spec,
  "v1/PersistentVolumeClaim": spec,
  "v1/Pod": [["spec"], ["metadata", "deletionTimestamp"], ["metadata", "ownerReferences"]],
  "v1/ReplicationController": spec,
  "v1/ResourceQuota": spec,
  "v1/Service": spec,
};

/** Subresources other than status, and main resources that reset more than their status. */
const others: Readonly<Record<string, Reset>> = {
  "certificates.k8s.io/v1/CertificateSigningRequest": [["spec"], ["status"]],
  "certificates.k8s.io/v1/CertificateSigningRequest/approval": [["spec"], ["status", "certificate"]],
  "v1/Namespace/finalize": status,
};

/** The filter of a built-in resource; undefined when all that is written through it can be owned. */
export function builtInFilter(apiVersion: string, kind: string, subresource: string): FieldFilter | undefined {
  const key = `${apiVersion}/${kind}`;
  const reset = resetOf(key, subresource);
  return reset && withoutPaths(FieldSet.of(...reset.map((names) => fieldPath(...names))));
}

function resetOf(key: string, subresource: string): Reset | undefined {
  const other = subresource === "" ? key : `${key}/${subresource}`;
  if (Object.hasOwn(others, other)) return others[other];
  if (!Object.hasOwn(statusKinds, key)) return undefined;
  if (subresource === "") return status;
  return subresource === "status" ? statusKinds[key] : undefined;
}
