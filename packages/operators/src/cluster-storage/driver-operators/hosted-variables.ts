import type { DriverOperatorEntry } from "./driver-operator-entry.ts";

/** Of the driver's operator: the image of the driver's controller, where the management cluster has another one than its guest. */
export const driverControlPlaneImage = "DRIVER_CONTROL_PLANE_IMAGE";

/** `AWS_EBS_DRIVER_CONTROL_PLANE_IMAGE`: the variable of our own environment that it comes from. */
export function controlPlaneImageOf({ images }: Pick<DriverOperatorEntry, "images">): string {
  return (images["DRIVER_IMAGE"] ?? "").replace(/_IMAGE$/u, "_CONTROL_PLANE_IMAGE");
}

/** What operators get beside a control plane as we have it: images of the management cluster, the user that Pods are run as. */
const alwaysHandedOn = [
  "HYPERSHIFT_IMAGE",
  "LIVENESS_PROBE_CONTROL_PLANE_IMAGE",
  "KUBE_RBAC_PROXY_CONTROL_PLANE_IMAGE",
  // Told to HyperShift at the driver's controller.
  "OPERATOR_IMAGE_VERSION",
  "RUN_AS_USER",
];

/** Each once, and beside those that it gets anywhere. */
export function hostedHandsOn({ handsOn = [], hosted }: Pick<DriverOperatorEntry, "handsOn" | "hosted">): string[] {
  const further = [...alwaysHandedOn, ...(hosted?.handsOn ?? [])];
  return further.filter((name) => !handsOn.includes(name));
}
