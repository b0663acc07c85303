import type { ClusterCSIDriver, CSIDriver, KubernetesObject } from "@stowage/machinery";
import { type Asset, type HookContext, renderObject, type StaticResource, withPlaceholders } from "@stowage/operator";
import type { DriverHooks, DriverProfile } from "../driver-profile.ts";
import type { StaticAsset } from "./driver-assets.ts";
import { type DriverPlace, driverPlaceholders } from "./driver-placeholders.ts";
import { sidecarsModeOf } from "./sidecars-mode.ts";

/** Of APIs that not every cluster has. */
const optionalKinds: ReadonlySet<string> = new Set(["ServiceMonitor", "PrometheusRule"]);

/**
 * The objects of a driver that are kept as they are in its assets. Those of the other mode are to go, unless a variant of this mode is
 * the same object.
 */
export async function staticResourcesOf(
  profile: Pick<DriverProfile, "sidecars"> & DriverPlace,
  assets: readonly StaticAsset[],
  operator: ClusterCSIDriver,
): Promise<StaticResource[]> {
  const mode = sidecarsModeOf(profile, operator);
  const isWanted = (each: StaticAsset) => !each.isLeftover && (each.mode === undefined || each.mode === mode);
  const resourcesOf = (some: readonly StaticAsset[]) => Promise.all(some.map((each) => resourceOf(profile, each)));
  const wanted = await resourcesOf(assets.filter(isWanted));
  const others = await resourcesOf(assets.filter((each) => !isWanted(each)));
  const known = new Set(wanted.map(keyOf));
  const unwanted = others.filter((each) => !known.has(keyOf(each)));
  return [...wanted, ...unwanted.map((each) => ({ ...each, shouldCreate: () => false }))];
}

/** The CSIDriver, which is kept with them and may depend on the cluster. */
export async function csiDriverResource(
  profile: DriverPlace,
  asset: Asset,
  {
    hooks,
    context,
  }: { readonly hooks: Pick<DriverHooks, "csiDriverHooks">; readonly context: HookContext<ClusterCSIDriver> },
): Promise<StaticResource> {
  const object = await renderObject<CSIDriver, HookContext<ClusterCSIDriver>>(asset, {
    manifestHooks: [withPlaceholders(driverPlaceholders(profile))],
    objectHooks: hooks.csiDriverHooks,
    context,
  });
  return { asset: asset.name, object };
}

async function resourceOf(profile: DriverPlace, { asset }: Pick<StaticAsset, "asset">): Promise<StaticResource> {
  const object = await renderObject<KubernetesObject, undefined>(asset, {
    manifestHooks: [withPlaceholders(driverPlaceholders(profile))],
    context: undefined,
  });
  return { asset: asset.name, object, optional: optionalKinds.has(object.kind) };
}

function keyOf({ object: { apiVersion, kind, metadata } }: StaticResource): string {
  return JSON.stringify([apiVersion, kind, metadata.namespace, metadata.name]);
}
