import type { ClusterOperator, Deployment, EnvVar, KubernetesObject } from "@stowage/machinery";
import { rbacProxyImage, sidecarImages, stowageImage } from "../../images/usual-images.ts";
import { type DriverOperatorEntry } from "../driver-operators/index.ts";
import { storageClusterOperator, storageOperatorName, storageOperatorNamespace } from "../names.ts";
import { operatorDeploymentObject } from "./operator-pod.ts";
import { driverImage } from "./payload-images.ts";
import { clusterRoleObjects, type Rights, rightsGrantedBy, roleObjects } from "./role-objects.ts";
import { sidecarRoles } from "./sidecar-roles.ts";
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
    "10_deployment": [deploymentObject(input)],
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

/** Two roles: what the operator does, and what it has only because it hands it on to the operators of drivers. */
export function rbacObjects({ entries, driverObjects }: Pick<PayloadInput, "entries" | "driverObjects">) {
  const isApplied = ({ kind }: KubernetesObject) => kind !== "Deployment" && kind !== "ClusterCSIDriver";
  const own = storageOperatorRights({ entries, objects: driverObjects.filter(isApplied) });
  const granted = rightsGrantedBy(driverObjects);
  return [
    ...roles(own, storageOperatorName, `${storageOperatorName}-role`),
    ...roles(granted, `${storageOperatorName}-grants`),
  ];
}

function roles({ cluster, namespaced }: Rights, role: string, binding = role): KubernetesObject[] {
  return [
    ...clusterRoleObjects({ account, role, binding, rules: cluster }),
    ...Object.entries(namespaced).flatMap(([namespace, rules]) =>
      roleObjects({ account, role, binding, rules }, namespace),
    ),
  ];
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

function deploymentObject({ entries, version }: PayloadInput): Deployment {
  const variable = (name: string, value: string): EnvVar => ({ name, value });
  return operatorDeploymentObject({
    ...account,
    image: stowageImage,
    command: ["storage-operator"],
    verbosity: "2",
    env: [
      variable("OPERATOR_IMAGE_VERSION", version),
      variable("OPERAND_IMAGE_VERSION", version),
      ...entries.flatMap(({ images }) => Object.values(images).map((name) => variable(name, driverImage(name)))),
      ...Object.entries(sidecarImages).map(([name, image]) => variable(name, image)),
    ],
    proxyImage: rbacProxyImage,
    proxyFlags: [],
    isAppliedAsItIs: true,
    networkPolicyLabels: ["dns", "api-server", "operator-metrics"],
    podAnnotations: { "openshift.io/required-scc": "restricted-v2" },
  });
}
