import type { ClusterCSIDriver, KubernetesObject } from "@stowage/machinery";
import { renderObject, type StaticResource, withPlaceholders } from "@stowage/operator";
import type { DriverProfile } from "../driver-profile.ts";
import type { StaticAsset } from "./driver-assets.ts";
import { driverPlaceholders } from "./driver-placeholders.ts";
import { sidecarsModeOf } from "./sidecars-mode.ts";

/** Of APIs that not every cluster has. */
const optionalKinds: ReadonlySet<string> = new Set(["ServiceMonitor", "PrometheusRule"]);

/**
 * The objects of a driver that are kept as they are in its assets. Those of the other mode are to go, unless a variant of this mode is
 * the same object.
 */
export async function staticResourcesOf(
  profile: Pick<DriverProfile, "namespace" | "sidecars">,
  assets: readonly StaticAsset[],
  operator: ClusterCSIDriver,
): Promise<StaticResource[]> {
  const mode = sidecarsModeOf(profile, operator);
  const isWanted = (each: StaticAsset) => each.mode === undefined || each.mode === mode;
  const resourcesOf = (some: readonly StaticAsset[]) => Promise.all(some.map((each) => resourceOf(profile, each)));
  const wanted = await resourcesOf(assets.filter(isWanted));
  const others = await resourcesOf(assets.filter((each) => !isWanted(each)));
  const known = new Set(wanted.map(keyOf));
  const unwanted = others.filter((each) => !known.has(keyOf(each)));
  return [...wanted, ...unwanted.map((each) => ({ ...each, shouldCreate: () => false }))];
}

async function resourceOf(
  profile: Pick<DriverProfile, "namespace">,
  { asset }: Pick<StaticAsset, "asset">,
): Promise<StaticResource> {
  const object = await renderObject<KubernetesObject, undefined>(asset, {
    manifestHooks: [withPlaceholders(driverPlaceholders(profile))],
    context: undefined,
  });
  return { asset: asset.name, object, optional: optionalKinds.has(object.kind) };
}

function keyOf({ object: { apiVersion, kind, metadata } }: StaticResource): string {
  return JSON.stringify([apiVersion, kind, metadata.namespace, metadata.name]);
}
