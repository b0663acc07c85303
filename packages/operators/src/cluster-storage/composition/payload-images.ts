/** Our own program; a release puts its own name in. */
export const stowageImage = "stowage:latest";
export const rbacProxyImage = "quay.io/openshift/origin-kube-rbac-proxy:latest";

/** The variables of the storage operator that are not of one driver. */
export const sidecarImages: Readonly<Record<string, string>> = {
  PROVISIONER_IMAGE: "quay.io/openshift/origin-csi-external-provisioner:latest",
  ATTACHER_IMAGE: "quay.io/openshift/origin-csi-external-attacher:latest",
  RESIZER_IMAGE: "quay.io/openshift/origin-csi-external-resizer:latest",
  SNAPSHOTTER_IMAGE: "quay.io/openshift/origin-csi-external-snapshotter:latest",
  NODE_DRIVER_REGISTRAR_IMAGE: "quay.io/openshift/origin-csi-node-driver-registrar:latest",
  LIVENESS_PROBE_IMAGE: "quay.io/openshift/origin-csi-livenessprobe:latest",
  KUBE_RBAC_PROXY_IMAGE: rbacProxyImage,
  TOOLS_IMAGE: "quay.io/openshift/origin-tools:latest",
  SIDECARS_IMAGE: stowageImage,
};

/** By variable; our own where there is none: the operators are all of one program. */
const driverImages: Readonly<Record<string, string>> = {
  OPENSTACK_CINDER_DRIVER_IMAGE: "quay.io/openshift/origin-openstack-cinder-csi-driver:latest",
};

export function driverImage(variable: string): string {
  return driverImages[variable] ?? stowageImage;
}
