/** Our own program; a release puts its own name in. */
export const stowageImage = "stowage:latest";
export const rbacProxyImage = "quay.io/openshift/origin-kube-rbac-proxy:latest";
export const detectorImage = "quay.io/openshift/origin-vsphere-problem-detector:latest";
export const validatorImage = "quay.io/openshift/origin-volume-data-source-validator:latest";

/** As the originals publish them, by the variables that are not of one driver; the all-in-one is our own. */
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
