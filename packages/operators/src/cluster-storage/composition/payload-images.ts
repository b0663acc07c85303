import { stowageImage } from "../../images/usual-images.ts";

/** By variable; our own where there is none: the operators are all of one program. */
const driverImages: Readonly<Record<string, string>> = {
  OPENSTACK_CINDER_DRIVER_IMAGE: "quay.io/openshift/origin-openstack-cinder-csi-driver:latest",
};

export function driverImage(variable: string): string {
  return driverImages[variable] ?? stowageImage;
}
