import type { Deployment, KubernetesObject, Volume } from "@stowage/machinery";
import { guestMount, guestSecret } from "@stowage/operator";
import type { DriverOperatorEntry } from "../driver-operators/index.ts";
import { storageOperatorName, storageOperatorNamespace } from "../names.ts";
import { validatorObjects } from "../populators/index.ts";
import { besideControlPlane, controlPlaneNamespace, withGuest } from "./hosted-operator-objects.ts";
import { guestRights, managementRights } from "./hosted-storage-rights.ts";
import { serviceObject } from "./operator-objects.ts";
import { serviceAccountObject } from "./role-objects.ts";
import { storageOperatorDeployment, storageOperatorRoles } from "./storage-operator-objects.ts";

export interface HostedPayloadInput {
  /** Those that run beside a hosted control plane. */
  readonly entries: readonly DriverOperatorEntry[];
  /** What is applied there for the operators of drivers: see `hostedOperatorObjects`. */
  readonly driverObjects: readonly KubernetesObject[];
  readonly version: string;
}

const place = { name: storageOperatorName, namespace: controlPlaneNamespace };
const guestAccount = { name: storageOperatorName, namespace: storageOperatorNamespace };

/** File → objects: what is in `packages/operators/hosted/`, for whoever runs a hosted control plane to apply. */
export function hostedPayloadObjects(input: HostedPayloadInput): Map<string, readonly KubernetesObject[]> {
  const { entries } = input;
  const isApplied = ({ kind }: KubernetesObject) => kind !== "Deployment" && kind !== "ClusterCSIDriver";
  const isBeside = ({ metadata }: KubernetesObject) => metadata.namespace === controlPlaneNamespace;
  const objects = input.driverObjects.filter(isApplied);
  const beside = objects.filter(isBeside);
  const inGuest = [...objects.filter((object) => !isBeside(object)), ...validatorObjects()];
  return new Map([
    [
      "management.yaml",
      [
        besideControlPlane(serviceAccountObject(place)),
        ...storageOperatorRoles(place, managementRights({ entries, objects: beside }, controlPlaneNamespace), beside),
        serviceObject(place),
        deploymentObject(input),
      ],
    ],
    [
      "guest.yaml",
      [
        serviceAccountObject(guestAccount),
        ...storageOperatorRoles(guestAccount, guestRights({ entries, objects: inGuest }), inGuest),
      ],
    ],
  ]);
}

function deploymentObject({ entries, version }: HostedPayloadInput): Deployment {
  return placed(withGuest(storageOperatorDeployment({ place, entries, version })));
}

/** Nobody fits it to the control plane: whoever applies it adds its nodes and tolerations. */
function placed(deployment: Deployment): Deployment {
  const { spec } = deployment;
  if (spec?.template.spec === undefined) return deployment;
  const { affinity: _masters, ...pod } = spec.template.spec;
  const guest: Volume = { name: guestMount.name, secret: { secretName: guestSecret, defaultMode: 0o644 } };
  const volumes = [...(pod.volumes ?? []), guest];
  const own = { ...pod, priorityClassName: "hypershift-control-plane", volumes };
  return { ...deployment, spec: { ...spec, template: { ...spec.template, spec: own } } };
}
