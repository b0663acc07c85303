import { type ClusterCSIDriver, clusterCSIDrivers } from "@stowage/machinery";
import { createOperatorClient, type OperatorClient } from "@stowage/operator";
import type { OperatorProgramDeps } from "../../program/index.ts";
import type { DriverAssets } from "../assets/index.ts";
import type { DriverHooks, DriverProfile } from "../driver-profile.ts";
import { neededByPlatformVariable } from "../needed-by-platform.ts";
import { holdFinalizerOf } from "../removal/index.ts";
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

export function driverDeps(deps: OperatorProgramDeps, profile: DriverProfile): DriverDeps {
  const { client, informers, clock, env } = deps;
  const { driverName, isRemovable } = profile;
  const management = {
    allowsUnmanaged: true,
    allowsRemoved: isRemovable,
    allowsDeletion: isRemovable && env[neededByPlatformVariable] !== "true",
    ...(isRemovable && { holdFinalizer: holdFinalizerOf(profile) }),
  };
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
