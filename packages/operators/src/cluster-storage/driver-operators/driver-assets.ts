import { StowageError } from "@stowage/machinery";
import { type Asset, parseManifests, type StaticResource } from "@stowage/operator";
import { readAssetFolder } from "../../assets/index.ts";
import type { DriverOperatorEntry } from "./driver-operator-entry.ts";

/** The files of a driver's operator, by what becomes of them. */
export interface DriverOperatorAssets {
  /** Its ServiceAccount, roles, bindings and Service, as they are. */
  readonly fixed: readonly StaticResource[];
  /** `<operator>-config`, whose content depends on the cluster. */
  readonly config: StaticResource;
  readonly deployment: Asset;
  /** The ClusterCSIDriver, which is made once. */
  readonly resource: Asset;
}

const ownParts = ["configmap", "deployment", "cr"];

/** Fails before anything of the driver is started if a file is missing or cannot be read. */
export function driverOperatorAssets({ id, assets }: Pick<DriverOperatorEntry, "id" | "assets">): DriverOperatorAssets {
  // Names of files are alike in every folder: failures are told with the folder too.
  const files = readAssetFolder(assets).map(({ name, text }) => ({ name: `csidriveroperators/${id}/${name}`, text }));
  const named = (part: string): Asset => {
    const found = files.find((file) => isPart(file, part));
    if (found !== undefined) return found;
    throw new StowageError("ASSET_INVALID", `csidriveroperators/${id} has no file *_${part}.yaml`);
  };
  const [config, ...others] = resourcesOf(named("configmap"));
  if (config === undefined || others.length > 0) {
    throw new StowageError("ASSET_INVALID", `${named("configmap").name} does not hold one object`);
  }
  return {
    fixed: files.filter((file) => !ownParts.some((part) => isPart(file, part))).flatMap(resourcesOf),
    config,
    deployment: named("deployment"),
    resource: named("cr"),
  };
}

function isPart({ name }: Asset, part: string): boolean {
  return name.endsWith(`_${part}.yaml`);
}

function resourcesOf(asset: Asset): StaticResource[] {
  return parseManifests(asset).map((object) => ({ asset: asset.name, object }));
}
