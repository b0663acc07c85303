import type { Deployment, EnvVar, KubernetesObject } from "@stowage/machinery";
import { rbacProxyImage, sidecarImages, stowageImage, validatorImage } from "../../images/usual-images.ts";
import type { DriverOperatorEntry } from "../driver-operators/index.ts";
import { storageOperatorName } from "../names.ts";
import { validatorImageVariable } from "../populators/index.ts";
import { operatorDeploymentObject } from "./operator-pod.ts";
import { driverImage } from "./payload-images.ts";
import { rightsGrantedBy, rightsObjects } from "./role-objects.ts";

/** Where the storage operator runs, or who it is. */
export interface StorageOperatorPlace {
  readonly name: string;
  readonly namespace: string;
}

/** Two roles: what the operator does, and what it has only because it hands it on to the operators of drivers. */
export function storageOperatorRoles(
  account: StorageOperatorPlace,
  own: Parameters<typeof rightsObjects>[0],
  granting: readonly KubernetesObject[],
): KubernetesObject[] {
  const grantsName = `${storageOperatorName}-grants`;
  return [
    ...rightsObjects(own, { account, role: storageOperatorName, binding: `${storageOperatorName}-role` }),
    ...rightsObjects(rightsGrantedBy(granting), { account, role: grantsName, binding: grantsName }),
  ];
}

interface DeploymentInput {
  readonly place: StorageOperatorPlace;
  readonly entries: readonly DriverOperatorEntry[];
  readonly version: string;
  /** Variable → image, of what only some clusters have. */
  readonly furtherImages?: Readonly<Record<string, string>>;
}

export function storageOperatorDeployment({
  place,
  entries,
  version,
  furtherImages = {},
}: DeploymentInput): Deployment {
  const variable = ([name, value]: readonly [string, string]): EnvVar => ({ name, value });
  // Some images are of several drivers.
  const drivers = [...new Set(entries.flatMap(({ images }) => Object.values(images)))];
  return operatorDeploymentObject({
    ...place,
    image: stowageImage,
    command: ["storage-operator"],
    verbosity: "2",
    env: [
      variable(["OPERATOR_IMAGE_VERSION", version]),
      variable(["OPERAND_IMAGE_VERSION", version]),
      ...drivers.map((name) => variable([name, driverImage(name)])),
      ...Object.entries({ ...sidecarImages, ...furtherImages }).map(variable),
      variable([validatorImageVariable, validatorImage]),
    ],
    proxyImage: rbacProxyImage,
    proxyFlags: [],
    isAppliedAsItIs: true,
    networkPolicyLabels: ["dns", "api-server", "operator-metrics"],
    podAnnotations: { "openshift.io/required-scc": "restricted-v2" },
  });
}
