import { operatorFinalizer, type StaticRemoval } from "@stowage/operator";
import type { DriverParticulars } from "./driver-deps.ts";
import { workloadNames } from "./workload-names.ts";

/** How that goes which the workloads need, where the driver can go at all: it must not lose its rights while it unmounts. */
export function lastRemoval(
  { profile, assets, copies }: DriverParticulars,
  /** Of the controller. */
  name: string,
  leftovers?: StaticRemoval["leftovers"],
): { readonly removal?: StaticRemoval } {
  const { namespace, operatorName, isRemovable } = profile;
  if (!isRemovable) return {};
  const names = workloadNames(profile, assets);
  const isThere = (workload: string) =>
    [copies.deployments, copies.daemonSets].some(
      ({ objects }) => objects.get({ namespace, name: workload }) !== undefined,
    );
  const finalizer = operatorFinalizer(operatorName, name);
  return { removal: { finalizer, isBlocked: () => names.some(isThere), leftovers } };
}
