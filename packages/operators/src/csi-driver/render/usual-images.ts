import { driverImageNames } from "../assets/index.ts";
import type { DriverProfile } from "../driver-profile.ts";

/** As the originals publish them; the all-in-one is our own. */
const images: Readonly<Record<string, string>> = {
  PROVISIONER_IMAGE: "quay.io/openshift/origin-csi-external-provisioner:latest",
  ATTACHER_IMAGE: "quay.io/openshift/origin-csi-external-attacher:latest",
  RESIZER_IMAGE: "quay.io/openshift/origin-csi-external-resizer:latest",
  SNAPSHOTTER_IMAGE: "quay.io/openshift/origin-csi-external-snapshotter:latest",
  NODE_DRIVER_REGISTRAR_IMAGE: "quay.io/openshift/origin-csi-node-driver-registrar:latest",
  LIVENESS_PROBE_IMAGE: "quay.io/openshift/origin-csi-livenessprobe:latest",
  KUBE_RBAC_PROXY_IMAGE: "quay.io/openshift/origin-kube-rbac-proxy:latest",
  TOOLS_IMAGE: "quay.io/openshift/origin-tools:latest",
  SIDECARS_IMAGE: "stowage:latest",
};

/** What the environment says, and the usual image for what it does not. */
export function imagesOrUsual(
  { usualImage }: Pick<DriverProfile, "usualImage">,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const usual: Readonly<Record<string, string>> = { ...images, DRIVER_IMAGE: usualImage };
  return Object.fromEntries(driverImageNames.map((name) => [name, env[name] || usual[name]]));
}
