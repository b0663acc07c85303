import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type {
  ClusterRole,
  ClusterRoleBinding,
  KubernetesObject,
  PolicyRule,
  Role,
  RoleBinding,
} from "../../packages/machinery/src/index.ts";
import { parseManifests } from "../../packages/operator/src/index.ts";
import { loadDriverProfile } from "../../packages/operators/src/csi-driver/drivers/index.ts";
import { renderDriver, usualCluster } from "../../packages/operators/src/csi-driver/render/index.ts";
import { permissionsOf, permissionText, type RoleParts, roleTable } from "../../packages/sidecars/src/rbac/index.ts";
import { checkout } from "../checkout.ts";

const payload = "packages/operators/manifests/0000_50_cluster-storage-operator_09_sidecar_roles.yaml";

/** Everything that bindings of these objects allow an account, by roles among them and those of the payload. */
function allowed(objects: readonly KubernetesObject[], account: string): Set<string> {
  const text = readFileSync(join(checkout, payload), "utf8");
  const roles = [...objects, ...parseManifests({ name: payload, text })].filter(({ kind }) => kind.endsWith("Role"));
  const bindings = objects.filter(({ kind }) => kind.endsWith("RoleBinding")) as (ClusterRoleBinding | RoleBinding)[];
  const rules = bindings
    .filter(({ subjects = [] }) => subjects.some(({ name }) => name === account))
    .map(({ roleRef }) => roles.find(({ kind, metadata }) => kind === roleRef.kind && metadata.name === roleRef.name))
    .flatMap((role): PolicyRule[] => (role as ClusterRole | Role | undefined)?.rules ?? []);
  return new Set(permissionsOf(rules).map(permissionText));
}

function wanted(sidecars: readonly (keyof typeof roleTable)[], parts: readonly (keyof RoleParts)[]): string[] {
  const rules = sidecars.flatMap((name) => parts.flatMap((part) => (roleTable[name] as RoleParts)[part] ?? []));
  return permissionsOf(rules.flatMap(({ cluster, namespaced }) => [...cluster, ...namespaced])).map(permissionText);
}

describe("all sidecars in one are allowed what they ask for", () => {
  it("beside Cinder, but for what only drivers with attributes classes or snapshots of groups need", async () => {
    const cluster = { ...usualCluster, sidecars: "Combined" } as const;
    const objects = await renderDriver(await loadDriverProfile("openstack-cinder"), { cluster, env: {} });
    const granted = allowed(objects, "openstack-cinder-csi-driver-controller-sa");
    const asked = wanted(
      ["provisioner", "attacher", "resizer", "snapshotter"],
      ["base", "leader-election", "topology", "secrets"],
    );
    const missing = asked.filter((permission) => !granted.has(permission));
    expect(asked.length).toBeGreaterThan(40);
    expect(missing.filter((each) => !/volumeattributesclasses|volumegroupsnapshot/u.test(each))).toEqual([]);
  });

  it("beside the local driver, and no more", async () => {
    const objects = await renderDriver(await loadDriverProfile("local"), { cluster: usualCluster, env: {} });
    const granted = allowed(objects, "stowage-local-csi-driver-node-sa");
    const asked = new Set(wanted(["provisioner", "resizer", "snapshotter"], ["base", "capacity"]));
    const besides = ["create tokenreviews.authentication.k8s.io", "create subjectaccessreviews.authorization.k8s.io"];
    const privileged = "use securitycontextconstraints.security.openshift.io";
    expect(granted).toEqual(new Set([...asked, ...besides, privileged]));
  });
});
