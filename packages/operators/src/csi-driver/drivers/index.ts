/**
 * The drivers that there are operators for, each in a folder of its name: `profile.ts` is what its operator runs by,
 * `composition.ts` what its assets are made of, `patches/` what is its own in them, and `generated/` what comes out. A folder with a
 * profile is all that makes a driver: `npm run generate` finds it, and puts it into the table.
 */
import { StowageError } from "@stowage/machinery";
import type { DriverProfile } from "../driver-profile.ts";
import { driverTable } from "./generated/driver-table.ts";

export const driverIds: readonly string[] = Object.keys(driverTable);

export async function loadDriverProfile(id: string): Promise<DriverProfile> {
  const load = Object.hasOwn(driverTable, id) ? driverTable[id] : undefined;
  if (load !== undefined) return { ...(await load()), id };
  throw new StowageError(
    "DRIVER_UNKNOWN",
    `there is no operator for the driver ${JSON.stringify(id)}; there is ${driverIds.join(", ")}`,
  );
}
