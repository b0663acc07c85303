import type { Deployment, EnvVar, KubernetesObject, ServiceAccount } from "@stowage/machinery";
import { composeObject, guestKubeconfig, guestMount, type ObjectPatch } from "@stowage/operator";
import { type DriverOperatorEntry, driverControlPlaneImage, hostedHandsOn } from "../driver-operators/index.ts";
import { driversNamespace } from "../names.ts";
import {
  configObject,
  deploymentObject,
  handedOn,
  resourceObject,
  runtime,
  serviceObject,
} from "./operator-objects.ts";
import type { OperatorPlace } from "./operator-pod.ts";
import { clusterRoleObjects, type Rights, roleObjects, serviceAccountObject } from "./role-objects.ts";

/** Of the control plane, in the management cluster: known when it is applied. */
export const controlPlaneNamespace = runtime("CONTROLPLANE_NAMESPACE");

export interface HostedOperatorInput {
  readonly entry: Pick<DriverOperatorEntry, "id" | "operatorName" | "driverName" | "isOptional" | "handsOn" | "hosted">;
  /** Of the driver's operator, in the control plane's namespace. */
  readonly managementRights: Rights;
  readonly guestRights: Rights;
  /** What is its own in the Deployment. */
  readonly patches: readonly ObjectPatch[];
}

/** File → objects: what is in `assets/csidriveroperators/<id>/hosted/`. Nothing of it is for the whole management cluster. */
export function hostedOperatorObjects(input: HostedOperatorInput): Map<string, readonly KubernetesObject[]> {
  const { entry, managementRights, guestRights, patches } = input;
  const place = { name: entry.operatorName, namespace: controlPlaneNamespace };
  const guestAccount = { name: entry.operatorName, namespace: driversNamespace };
  const beside = rolesOf(place, managementRights);
  const inGuest = rolesOf(guestAccount, guestRights);
  const further = [driverControlPlaneImage, ...hostedHandsOn(entry)].map(handedOn);
  const deployment = withGuest(deploymentObject(entry, place), further);
  return new Map<string, readonly KubernetesObject[]>([
    ["01_service.yaml", [serviceObject(place)]],
    ["02_sa.yaml", [besideControlPlane(serviceAccountObject(place))]],
    ["03_configmap.yaml", [configObject(place)]],
    ["03_role.yaml", beside.roles],
    ["04_rolebinding.yaml", beside.bindings],
    ["07_deployment.yaml", [composeObject(deployment, patches)]],
    ["08_cr.yaml", [resourceObject(entry.driverName)]],
    ["guest_02_sa.yaml", [serviceAccountObject(guestAccount)]],
    ["guest_03_role.yaml", inGuest.roles],
    ["guest_04_rolebinding.yaml", inGuest.bindings],
    ["guest_05_clusterrole.yaml", [inGuest.clusterRole]],
    ["guest_06_clusterrolebinding.yaml", [inGuest.clusterBinding]],
  ]);
}

function rolesOf(account: OperatorPlace, rights: Rights) {
  const named = (kind: string) => ({
    role: `${account.name}-${kind}`,
    binding: `${account.name}-${kind}binding`,
    account,
  });
  const placed = Object.entries(rights.namespaced).map(([namespace, rules]) =>
    roleObjects({ ...named("role"), rules }, namespace),
  );
  const [clusterRole, clusterBinding] = clusterRoleObjects({ ...named("clusterrole"), rules: rights.cluster });
  return {
    roles: placed.map(([role]) => role),
    bindings: placed.map(([, binding]) => binding),
    clusterRole,
    clusterBinding,
  };
}

/** HyperShift has the login to the registry beside each control plane. */
export function besideControlPlane(account: ServiceAccount): ServiceAccount {
  return { ...account, imagePullSecrets: [{ name: "pull-secret" }] };
}

/** The way into the guest for the operator's own container, whose volume comes with the place; and the one to the management cluster. */
export function withGuest(deployment: Deployment, further: readonly EnvVar[] = []): Deployment {
  const { nodeSelector: _masters, containers = [], ...pod } = deployment.spec?.template.spec ?? {};
  const [operator, ...others] = containers;
  if (deployment.spec === undefined || operator === undefined) return deployment;
  const guided = {
    ...operator,
    args: [...(operator.args ?? []), `--guest-kubeconfig=${guestKubeconfig}`],
    env: [...(operator.env ?? []), ...further],
    volumeMounts: [...(operator.volumeMounts ?? []), guestMount],
  };
  const { template } = deployment.spec;
  const labels = { ...template.metadata?.labels, "hypershift.openshift.io/need-management-kas-access": "true" };
  const metadata = { ...template.metadata, labels };
  const spec = { ...pod, containers: [guided, ...others] };
  return { ...deployment, spec: { ...deployment.spec, template: { ...template, metadata, spec } } };
}
