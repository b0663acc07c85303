import type { ClusterOperator, KubernetesObject } from "@stowage/machinery";
import { detectorImage } from "../../images/usual-images.ts";
import { type DriverOperatorEntry } from "../driver-operators/index.ts";
import { storageClusterOperator, storageOperatorName, storageOperatorNamespace } from "../names.ts";
import { validatorObjects } from "../populators/index.ts";
import { detectorImageVariable, detectorObjects } from "../problem-detector/index.ts";
import { sidecarRoles } from "./sidecar-roles.ts";
import { storageOperatorDeployment, storageOperatorRoles } from "./storage-operator-objects.ts";
import { storageOperatorRights } from "./storage-operator-rights.ts";

export interface PayloadInput {
  readonly entries: readonly DriverOperatorEntry[];
  /** What is applied for the operators of drivers: see `driverOperatorObjects`. */
  readonly driverObjects: readonly KubernetesObject[];
  readonly version: string;
}

const account = { name: storageOperatorName, namespace: storageOperatorNamespace };

/** File → objects: those of `packages/operators/manifests/` that repeat a table. The others are written by hand. */
export function payloadObjects(input: PayloadInput): Map<string, readonly KubernetesObject[]> {
  const prefix = `0000_50_${storageOperatorName}_`;
  const files: Readonly<Record<string, readonly KubernetesObject[]>> = {
    "08_operator_rbac": rbacObjects(input),
    "09_sidecar_roles": sidecarRoles,
    "10_deployment": [
      storageOperatorDeployment({
        ...input,
        place: account,
        furtherImages: { [detectorImageVariable]: detectorImage },
      }),
    ],
    "11_cluster_operator": [clusterOperatorObject(input)],
  };
  return new Map(
    Object.entries(files).map(([name, objects]) => [`${prefix}${name}.yaml`, objects.map(ofPayload)] as const),
  );
}

/** Under which conditions OpenShift applies it. */
function ofPayload<T extends KubernetesObject>(object: T): T {
  const annotations = {
    "include.release.openshift.io/self-managed-high-availability": "true",
    "include.release.openshift.io/single-node-developer": "true",
    "capability.openshift.io/name": "Storage",
    ...object.metadata.annotations,
  };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

export function rbacObjects({ entries, driverObjects }: Pick<PayloadInput, "entries" | "driverObjects">) {
  const isApplied = ({ kind }: KubernetesObject) => kind !== "Deployment" && kind !== "ClusterCSIDriver";
  const objects = [...driverObjects, ...detectorObjects(), ...validatorObjects()];
  const own = storageOperatorRights({ entries, objects: objects.filter(isApplied) });
  return storageOperatorRoles(account, own, objects);
}

/** There before the operator is: whoever waits for it reads here what for. */
function clusterOperatorObject({ version }: PayloadInput): ClusterOperator {
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterOperator",
    metadata: { name: storageClusterOperator },
    spec: {},
    status: { versions: [{ name: "operator", version }] },
  };
}
