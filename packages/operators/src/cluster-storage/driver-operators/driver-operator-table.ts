import { localCSIDriver } from "@stowage/machinery";
import type { DriverOperatorEntry } from "./driver-operator-entry.ts";

const openstackCinder: DriverOperatorEntry = {
  id: "openstack-cinder",
  driverName: "cinder.csi.openstack.org",
  conditionPrefix: "OpenStackCinder",
  operatorName: "openstack-cinder-csi-driver-operator",
  platform: "OpenStack",
  assets: new URL("../assets/csidriveroperators/openstack-cinder/", import.meta.url),
  images: {
    OPERATOR_IMAGE: "OPENSTACK_CINDER_DRIVER_OPERATOR_IMAGE",
    DRIVER_IMAGE: "OPENSTACK_CINDER_DRIVER_IMAGE",
  },
};

const local: DriverOperatorEntry = {
  id: "local",
  driverName: localCSIDriver,
  conditionPrefix: "Local",
  operatorName: "stowage-local-csi-driver-operator",
  platform: "External",
  // Volumes on the nodes' own disks are never what a cluster gets unasked.
  statusFilter: ({ isLocal }) => isLocal,
  assets: new URL("../assets/csidriveroperators/local/", import.meta.url),
  images: { OPERATOR_IMAGE: "LOCAL_DRIVER_OPERATOR_IMAGE", DRIVER_IMAGE: "LOCAL_DRIVER_IMAGE" },
};

/** Every driver whose operator the storage operator can start. */
export const driverOperators: readonly DriverOperatorEntry[] = [openstackCinder, local];
