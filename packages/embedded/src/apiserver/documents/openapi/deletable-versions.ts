import type { GroupVersion } from "../../resources/index.ts";

/** All versions that the real server knows, served or not: the schemas of definitions name them where they speak of deletion. */
const versions: Readonly<Record<string, string>> = {
  "": "v1",
  "admissionregistration.k8s.io": "v1 v1alpha1 v1beta1",
  apps: "v1 v1beta1 v1beta2",
  "authentication.k8s.io": "v1 v1alpha1 v1beta1",
  "authorization.k8s.io": "v1 v1beta1",
  autoscaling: "v1 v2",
  batch: "v1 v1beta1",
  "certificates.k8s.io": "v1 v1alpha1 v1beta1",
  "coordination.k8s.io": "v1 v1alpha2 v1beta1",
  "discovery.k8s.io": "v1 v1beta1",
  "events.k8s.io": "v1 v1beta1",
  extensions: "v1beta1",
  "flowcontrol.apiserver.k8s.io": "v1 v1beta1 v1beta2 v1beta3",
  "internal.apiserver.k8s.io": "v1alpha1",
  "networking.k8s.io": "v1 v1beta1",
  "node.k8s.io": "v1 v1alpha1 v1beta1",
  policy: "v1 v1beta1",
  "rbac.authorization.k8s.io": "v1 v1alpha1 v1beta1",
  "resource.k8s.io": "v1 v1alpha3 v1beta1 v1beta2",
  "scheduling.k8s.io": "v1 v1alpha2 v1beta1",
  "storage.k8s.io": "v1 v1alpha1 v1beta1",
  "storagemigration.k8s.io": "v1beta1",
};

export function everyDeletable(): GroupVersion[] {
  return Object.entries(versions).flatMap(([group, text]) => text.split(" ").map((version) => ({ group, version })));
}
