import type { ConfigMap } from "@stowage/machinery";

/** The driver reads from it which of its features are on. */
export const featureStatesName = "internal-feature-states.csi.vsphere.vmware.com";

export interface FeatureStatesInput {
  readonly namespace: string;
  readonly hasTopology: boolean;
  readonly vcenterCount: number;
}

/** Volumes of the driver that was part of Kubernetes are of one vCenter: with several nobody could say of which. */
export function desiredFeatureStates({ namespace, hasTopology, vcenterCount }: FeatureStatesInput): ConfigMap {
  const states: Readonly<Record<string, boolean>> = {
    "async-query-volume": true,
    "block-volume-snapshot": true,
    "cnsmgr-suspend-create-volume": true,
    "csi-auth-check": true,
    "csi-migration": vcenterCount <= 1,
    "csi-windows-support": true,
    "improved-csi-idempotency": true,
    "improved-volume-topology": hasTopology,
    "list-volumes": true,
    // Off, the driver would not start.
    "multi-vcenter-csi-topology": true,
    "online-volume-extend": true,
    "pv-to-backingdiskobjectid-mapping": false,
    "topology-preferential-datastores": true,
    "trigger-csi-fullsync": false,
    "use-csinode-id": true,
  };
  const data = Object.fromEntries(Object.entries(states).map(([name, isOn]) => [name, String(isOn)]));
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: featureStatesName, namespace }, data };
}
