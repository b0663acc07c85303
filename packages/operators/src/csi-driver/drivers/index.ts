/**
 * The drivers that there are operators for, each in a folder of its name: `profile.ts` is what its operator runs by,
 * `composition.ts` what its assets are made of, `patches/` what is its own in them, and `generated/` what comes out.
 */
import { StowageError } from "@stowage/machinery";
import type { DriverProfile } from "../driver-profile.ts";

/** One is loaded at a time: a process runs one operator. */
const profiles: Readonly<Record<string, () => Promise<DriverProfile>>> = {
  local: async () => (await import("./local/profile.ts")).localProfile,
  "openstack-cinder": async () => (await import("./openstack-cinder/profile.ts")).openstackCinderProfile,
};

export const driverIds: readonly string[] = Object.keys(profiles);

export async function loadDriverProfile(id: string): Promise<DriverProfile> {
  const load = Object.hasOwn(profiles, id) ? profiles[id] : undefined;
  if (load !== undefined) return load();
  throw new StowageError(
    "DRIVER_UNKNOWN",
    `there is no operator for the driver ${JSON.stringify(id)}; there is ${driverIds.join(", ")}`,
  );
}
