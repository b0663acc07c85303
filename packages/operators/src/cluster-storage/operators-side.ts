import { type HostedControlPlaneSource, hostedControlPlaneSource } from "@stowage/operator";
import type { ManagementCluster, OperatorProgramDeps } from "../program/index.ts";
import { driversNamespace, storageOperatorNamespace } from "./names.ts";

/**
 * Where operators are: those of the drivers, and this one. In the cluster itself as a rule; with HyperShift in the management cluster,
 * all of them in the namespace of the guest's control plane. What they look after is in the guest.
 */
export interface OperatorsSide extends ManagementCluster {
  /** Of the operators of drivers. */
  readonly namespace: string;
  /** Of the storage operator itself, and of the authority that all certificates of operators come from. */
  readonly ownNamespace: string;
  /** What the control plane asks of its Pods; undefined where it is the cluster's own. */
  readonly hosted?: HostedControlPlaneSource;
}

export function operatorsSide(
  deps: Pick<OperatorProgramDeps, "client" | "mapper" | "informers" | "management" | "namespace">,
): OperatorsSide {
  const { client, mapper, informers, management, namespace } = deps;
  if (management === undefined) {
    return { client, mapper, informers, namespace: driversNamespace, ownNamespace: storageOperatorNamespace };
  }
  return { ...management, namespace, ownNamespace: namespace, hosted: hostedControlPlaneSource(management, namespace) };
}
