import { deployments, pods } from "@stowage/machinery";
import { hostedControlPlanes } from "@stowage/operator";
import { mayAll, mayNamed, mergedRules } from "../../rights/rule-list.ts";
import type { DriverAssets } from "../assets/index.ts";
import type { DriverProfile } from "../driver-profile.ts";
import {
  copyVerbs,
  type DriverOperatorRules,
  driverOperatorRules,
  nameOf,
  objectsOf,
  processRules,
  servingRules,
} from "./driver-operator-rules.ts";
import { keepRules } from "./object-rules.ts";

/**
 * What the operator of a driver has to be allowed in the management cluster, where the control plane is hosted: something in that
 * namespace, and nothing in the cluster.
 */
export function hostedOperatorRules(
  profile: DriverProfile,
  assets: DriverAssets,
  /** Of the control plane, and so of the operator. */
  namespace: string,
): DriverOperatorRules {
  const place = { ...profile, controllerNamespace: namespace };
  const [mode] = profile.sidecars;
  const controller = assets.controller?.[mode];
  const names = controller === undefined ? [] : objectsOf(place, controller).map(nameOf);
  const kept = assets.controlPlane.flatMap(({ asset, mode: only }) =>
    objectsOf(place, asset)
      .filter(({ kind }) => kind !== "ServiceMonitor")
      .flatMap((object) => keepRules(object, { isDeleted: only !== undefined && profile.sidecars.length > 1 })),
  );
  const rules = [
    mayAll(deployments, ...copyVerbs, "create"),
    // Patched for the version that runs.
    mayNamed(deployments, names, "get", "update", "patch", "delete"),
    mayAll(pods, "list"),
    mayAll(hostedControlPlanes, ...copyVerbs),
    ...kept,
    ...servingRules(place, { ...assets, guest: [] }),
    ...(profile.hosted?.rules ?? []),
    ...processRules(profile),
  ];
  return { cluster: [], namespaced: { [namespace]: mergedRules(rules) } };
}

/** What it has to be allowed in the guest: all but what is beside the control plane. */
export function guestOperatorRules(profile: DriverProfile, assets: DriverAssets): DriverOperatorRules {
  const { cluster, namespaced } = driverOperatorRules(profile, { ...assets, controlPlane: [], controller: undefined });
  return { cluster: mergedRules([...cluster, ...(profile.hosted?.guestRules ?? [])]), namespaced };
}
