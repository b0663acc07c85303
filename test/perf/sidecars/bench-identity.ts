import { writeFile } from "node:fs/promises";
import type { ConnectionConfig, KubeClient } from "@stowage/kube";
import {
  clusterRoleBindings,
  clusterRoles,
  namespaces,
  type ResourceType,
  roleBindings,
  roles,
  serviceAccounts,
} from "@stowage/machinery";
import {
  desiredRoleObjects,
  type RoleParts,
  roleTable,
  serviceAccountName,
} from "../../../packages/sidecars/src/rbac/index.ts";

export const NAMESPACE = "sidecars-bench";
const SIDECAR = "sidecars";
const TOKEN_SECONDS = 6 * 60 * 60;

/** As the API server knows the sidecars, and nobody else. */
export const SIDECARS_USER = `system:serviceaccount:${NAMESPACE}:${serviceAccountName(SIDECAR)}`;

const types: Readonly<Record<string, ResourceType>> = {
  ServiceAccount: serviceAccounts,
  ClusterRole: clusterRoles,
  ClusterRoleBinding: clusterRoleBindings,
  Role: roles,
  RoleBinding: roleBindings,
};

/** A ServiceAccount that may do what deployed sidecars may, as far as the flags of the bench need it; its kubeconfig goes to the path. */
export async function makeIdentity(client: KubeClient, admin: ConnectionConfig, path: string): Promise<void> {
  await client.create(namespaces, { metadata: { name: NAMESPACE } });
  const parts: RoleParts = roleTable[SIDECAR];
  for (const part of ["base", "leader-election", "topology", "capacity"] as const) {
    const { [part]: rules } = parts;
    // Merged with the others, a part may have nothing of its own.
    if (rules === undefined) continue;
    for (const object of desiredRoleObjects({ sidecar: SIDECAR, part, namespace: NAMESPACE }, rules))
      await client.create(types[object.kind] as ResourceType, object);
  }
  await writeFile(path, kubeconfig(admin, await requestToken(client)), { mode: 0o600 });
}

async function requestToken(client: KubeClient): Promise<string> {
  const ref = { namespace: NAMESPACE, name: serviceAccountName(SIDECAR), subresource: "token" };
  const { status } = await client.createSubresource<{ status: { token: string } }>(serviceAccounts, ref, {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { expirationSeconds: TOKEN_SECONDS },
  });
  return status.token;
}

/** JSON is YAML. */
function kubeconfig({ server, tls }: ConnectionConfig, token: string): string {
  const authority = tls.certificateAuthority;
  if (authority?.kind !== "inline") throw new TypeError("the lab's kubeconfig has its authority inside");
  const cluster = { server, "certificate-authority-data": Buffer.from(authority.pem).toString("base64") };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "lab", cluster }],
    users: [{ name: SIDECAR, user: { token } }],
    contexts: [{ name: "lab", context: { cluster: "lab", user: SIDECAR, namespace: NAMESPACE } }],
    "current-context": "lab",
  });
}
