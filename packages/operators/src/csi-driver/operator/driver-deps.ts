import { type ClusterCSIDriver, clusterCSIDrivers } from "@stowage/machinery";
import { createOperatorClient, type OperatorClient } from "@stowage/operator";
import type { OperatorProgramDeps } from "../../program/index.ts";
import type { DriverAssets } from "../assets/index.ts";
import type { DriverHooks, DriverProfile } from "../driver-profile.ts";
import type { DriverCopies } from "./driver-copies.ts";

/** What the controllers of a driver's operator are made with. */
export interface DriverDeps extends OperatorProgramDeps {
  readonly operator: OperatorClient<ClusterCSIDriver>;
}

/** A driver as its operator has it in its hands. */
export interface DriverParticulars {
  readonly profile: DriverProfile;
  readonly assets: DriverAssets;
  readonly hooks: DriverHooks;
  readonly copies: DriverCopies;
}

export function driverDeps(deps: OperatorProgramDeps, { driverName, isRemovable }: DriverProfile): DriverDeps {
  const { client, informers, clock } = deps;
  const management = { allowsUnmanaged: true, allowsRemoved: isRemovable };
  const operator = createOperatorClient({
    client,
    informers,
    type: clusterCSIDrivers,
    name: driverName,
    clock,
    management,
  });
  return { ...deps, operator };
}
