import { type ClusterCSIDriver, type DaemonSet, type Deployment, StowageError } from "@stowage/machinery";
import { controllerHooks, nodeHooks, withDependencies } from "@stowage/operator";
import type { DriverCompanion } from "../driver-profile.ts";
import { type DriverWorkloadInput, type DriverWorkloadSpec, placeholdersOf, specOf } from "./workload-specs.ts";

/** A workload beside the controller and the node's, with what its Pods restart for. */
export interface CompanionSpec<W extends Deployment | DaemonSet> {
  readonly companion: DriverCompanion;
  readonly spec: DriverWorkloadSpec<W>;
}

export function companionDeployments(input: DriverWorkloadInput): CompanionSpec<Deployment>[] {
  return companionsOf(input, "Deployment").map((companion) => {
    const { secrets, configMaps } = dependenciesOf(input, companion);
    const hooks = [withDependencies(configMaps)];
    const set = controllerHooks<ClusterCSIDriver>({ ...placeholdersOf(input), hooks, secrets });
    return { companion, spec: specOf(input, { ...partsOf(input, companion), set }) };
  });
}

export function companionDaemonSets(input: DriverWorkloadInput): CompanionSpec<DaemonSet>[] {
  return companionsOf(input, "DaemonSet").map((companion) => {
    const set = nodeHooks<ClusterCSIDriver>({ ...placeholdersOf(input), ...dependenciesOf(input, companion) });
    return { companion, spec: specOf(input, { ...partsOf(input, companion), set }) };
  });
}

function companionsOf({ profile }: DriverWorkloadInput, kind: DriverCompanion["kind"]): DriverCompanion[] {
  return (profile.companions ?? []).filter((companion) => companion.kind === kind);
}

function dependenciesOf({ sources }: DriverWorkloadInput, { restartsFor }: DriverCompanion) {
  return {
    secrets: () => restartsFor.secrets.map((name) => sources.secret(name)),
    configMaps: () => restartsFor.configMaps.map((name) => sources.configMap(name)),
  };
}

/** It is the same in every mode of the sidecars. */
function partsOf({ profile, assets }: DriverWorkloadInput, companion: DriverCompanion) {
  const asset = assets.companions.find(({ name }) => name === companion.asset);
  if (asset === undefined) {
    throw new StowageError("ASSET_INVALID", `the assets of ${profile.id} have no ${companion.asset}`);
  }
  return { name: companion.controllerName, variants: { Separate: asset, Combined: asset } };
}
