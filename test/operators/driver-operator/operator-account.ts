import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlreadyExists, type KubeClient } from "@stowage/kube";
import {
  clusterRoleBindings,
  clusterRoles,
  type KubernetesObject,
  namespaces,
  type ResourceType,
  roleBindings,
  roles,
  serviceAccounts,
} from "@stowage/machinery";
import type { DriverOperatorRules, DriverProfile } from "@stowage/operators/csi-driver";
import { dump, load } from "js-yaml";

export interface AccountPlace {
  readonly client: KubeClient;
  /** The administrator's. */
  readonly kubeconfigPath: string;
  readonly folder: string;
}

/** Somebody who may do what the rules say and nothing else; returns the kubeconfig to be them with. */
export async function createAccount(
  place: AccountPlace,
  { operatorName: name, namespace }: Pick<DriverProfile, "operatorName" | "namespace">,
  rules: DriverOperatorRules,
): Promise<string> {
  const { client } = place;
  await ensure(client, namespaces, { metadata: { name: namespace } });
  await ensure(client, serviceAccounts, { metadata: { name, namespace } });
  const subjects = [{ kind: "ServiceAccount", name, namespace }];
  const apiGroup = "rbac.authorization.k8s.io";
  await ensure(client, clusterRoles, { metadata: { name }, rules: rules.cluster });
  const roleRef = { apiGroup, kind: "ClusterRole", name };
  await ensure(client, clusterRoleBindings, { metadata: { name }, subjects, roleRef });
  for (const [where, own] of Object.entries(rules.namespaced)) {
    await ensure(client, namespaces, { metadata: { name: where } });
    await ensure(client, roles, { metadata: { name, namespace: where }, rules: own });
    const ref = { apiGroup, kind: "Role", name };
    await ensure(client, roleBindings, { metadata: { name, namespace: where }, subjects, roleRef: ref });
  }
  return writeKubeconfig(place, { name, namespace });
}

async function ensure(client: KubeClient, type: ResourceType, object: object): Promise<void> {
  try {
    await client.create<KubernetesObject>(type, object as KubernetesObject);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

export async function writeKubeconfig(
  { client, kubeconfigPath, folder }: AccountPlace,
  account: { readonly name: string; readonly namespace: string },
): Promise<string> {
  const { status } = await client.createSubresource<{ status: { token: string } }>(
    serviceAccounts,
    { ...account, subresource: "token" },
    { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
  );
  const administrator = load(readFileSync(kubeconfigPath, "utf8")) as { users: { name: string }[] };
  const users = administrator.users.map(({ name }) => ({ name, user: { token: status.token } }));
  const path = join(folder, `${account.name}.kubeconfig`);
  writeFileSync(path, dump({ ...administrator, users }), { mode: 0o600 });
  return path;
}
