import type { PositionalArgument } from "../command.ts";

/** A driver that there is an operator for. */
export const driverArgument: PositionalArgument = {
  name: "driver",
  help: "such as local or openstack-cinder",
  // The table comes with the operators' code, which no other command needs.
  values: async () => (await import("@stowage/operators/csi-driver")).driverIds,
};
