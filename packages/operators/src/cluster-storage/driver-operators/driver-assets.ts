import { StowageError } from "@stowage/machinery";
import { type Asset, parseManifests, replacePlaceholders, type StaticResource } from "@stowage/operator";
import { readAssetFolder } from "../../assets/index.ts";
import type { DriverOperatorEntry } from "./driver-operator-entry.ts";
import { hostedAssetsOf } from "./hosted-assets.ts";

/** The files of a driver's operator, by what becomes of them. */
export interface DriverOperatorAssets {
  /** Its ServiceAccount, roles, bindings and Service, and how it is monitored, as they are: where the operator is. */
  readonly fixed: readonly StaticResource[];
  /** Likewise in the guest of a hosted control plane; nothing where the operator is in the cluster that it looks after. */
  readonly guest: readonly StaticResource[];
  /** `<operator>-config`, whose content depends on the cluster. */
  readonly config: StaticResource;
  readonly deployment: Asset;
  /** The ClusterCSIDriver, which is made once. */
  readonly resource: Asset;
}

const ownParts = ["configmap", "deployment", "cr"];
const GUEST_PREFIX = "guest_";

/** Fails before anything of the driver is started if a file is missing or cannot be read. */
export function driverOperatorAssets({ id, assets }: Pick<DriverOperatorEntry, "id" | "assets">): DriverOperatorAssets {
  return assetsIn(`csidriveroperators/${id}`, readAssetFolder(assets));
}

/** Likewise, beside a hosted control plane. */
export function hostedOperatorAssets(
  entry: Pick<DriverOperatorEntry, "id">,
  /** Of the control plane, in the management cluster. */
  namespace: string,
): DriverOperatorAssets {
  const files = readAssetFolder(hostedAssetsOf(entry)).map(({ name, text }) => ({
    name,
    text: replacePlaceholders(text, { CONTROLPLANE_NAMESPACE: namespace }),
  }));
  return assetsIn(`csidriveroperators/${entry.id}/hosted`, files);
}

function assetsIn(folder: string, listed: readonly Asset[]): DriverOperatorAssets {
  // Names of files are alike in every folder: failures are told with the folder too.
  const files = listed.map(({ name, text }) => ({ name: `${folder}/${name}`, text }));
  const named = (part: string): Asset => {
    const found = files.find((file) => isPart(file, part));
    if (found !== undefined) return found;
    throw new StowageError("ASSET_INVALID", `${folder} has no file *_${part}.yaml`);
  };
  const [config, ...others] = resourcesOf(named("configmap"));
  if (config === undefined || others.length > 0) {
    throw new StowageError("ASSET_INVALID", `${named("configmap").name} does not hold one object`);
  }
  const fixed = files.filter((file) => !ownParts.some((part) => isPart(file, part)));
  const isOfGuest = ({ name }: Asset) => name.startsWith(`${folder}/${GUEST_PREFIX}`);
  return {
    fixed: fixed.filter((file) => !isOfGuest(file)).flatMap(resourcesOf),
    guest: fixed.filter(isOfGuest).flatMap(resourcesOf),
    config,
    deployment: named("deployment"),
    resource: named("cr"),
  };
}

function isPart({ name }: Asset, part: string): boolean {
  return name.endsWith(`_${part}.yaml`);
}

function resourcesOf(asset: Asset): StaticResource[] {
  return parseManifests(asset).map((object) => ({
    asset: asset.name,
    object,
    // Not every cluster has such monitoring.
    ...(object.apiVersion.startsWith("monitoring.coreos.com/") && { optional: true }),
  }));
}
