import { attacherRules, attacherSecretRules } from "../attacher/rbac.ts";
import { clusterDriverRegistrarRules } from "../cluster-driver-registrar/rbac.ts";
import { leaseRules } from "../leases/rbac.ts";
import { capacityRules } from "../provisioner/capacity/rbac.ts";
import { provisionerRules, provisionerSecretRules } from "../provisioner/rbac.ts";
import { topologyRules } from "../provisioner/topology/rbac.ts";
import { resizerRules, resizerSecretRules } from "../resizer/rbac.ts";
import { distributedSnapshotControllerRules, snapshotControllerRules } from "../snapshot-controller/rbac.ts";
import { snapshotterRules, snapshotterSecretRules } from "../snapshotter/rbac.ts";
import { mergedRules, rulesBeyond } from "./merged-rules.ts";
import type { RoleRules } from "./role-rules.ts";

/** When each part of a role is needed. The names are those of the generated files. */
export const partPurposes = {
  base: "What is always needed.",
  "leader-election":
    "For --leader-election. With --leader-election-namespace, the Role and its binding belong in that namespace.",
  secrets: "Where classes name Secrets. Roles in the namespaces of those Secrets do as well, and allow less.",
  topology: "For drivers with topology, unless the provisioner runs on each node (--node-deployment).",
  capacity: "For --enable-capacity; unless the provisioner runs on each node, beside the part for topology.",
  distributed: "For --enable-distributed-snapshotting.",
} as const;

export type PartName = keyof typeof partPurposes;

/** `base`, and what is added for a flag, or for what a driver does. */
export type RoleParts = { readonly base: RoleRules } & Readonly<Partial<Record<PartName, RoleRules>>>;

/** The rights of each sidecar: the one table that tests run with, and that the files in `packages/sidecars/rbac/` are made of. */
const ownParts = {
  provisioner: {
    base: provisionerRules,
    "leader-election": leaseRules,
    secrets: provisionerSecretRules,
    topology: topologyRules,
    capacity: capacityRules,
  },
  attacher: { base: attacherRules, "leader-election": leaseRules, secrets: attacherSecretRules },
  resizer: { base: resizerRules, "leader-election": leaseRules, secrets: resizerSecretRules },
  snapshotter: { base: snapshotterRules, "leader-election": leaseRules, secrets: snapshotterSecretRules },
  "snapshot-controller": {
    base: snapshotControllerRules,
    "leader-election": leaseRules,
    distributed: distributedSnapshotControllerRules,
  },
} satisfies Readonly<Record<string, RoleParts>>;

/**
 * By the name of the sidecar, and `sidecars` for those of `stowage sidecars` together. The registrar and the liveness probe are not
 * in it: they never ask the API server for anything.
 */
export const roleTable = {
  ...mapParts(ownParts),
  "cluster-driver-registrar": { base: clusterDriverRegistrarRules },
  sidecars: beyondBase(together(Object.values(ownParts))),
} satisfies Readonly<Record<string, RoleParts>>;

export type RoleName = keyof typeof roleTable;

function mapParts<Name extends string>(table: Readonly<Record<Name, RoleParts>>): Record<Name, RoleParts> {
  const entries = Object.entries<RoleParts>(table).map(([name, parts]) => [name, beyondBase(parts)]);
  return Object.fromEntries(entries) as Record<Name, RoleParts>;
}

/** Parts of the same name in one. */
function together(roles: readonly RoleParts[]): RoleParts {
  const names = (Object.keys(partPurposes) as PartName[]).filter((name) => roles.some((role) => name in role));
  const parts = names.map((name) => {
    const rules = roles.flatMap((role) => role[name] ?? []);
    const whole: RoleRules = {
      cluster: rules.flatMap(({ cluster }) => cluster),
      namespaced: rules.flatMap(({ namespaced }) => namespaced),
    };
    return [name, whole] as const;
  });
  return Object.fromEntries(parts) as unknown as RoleParts;
}

/** No part repeats what the base allows; one that would add nothing is left out. */
function beyondBase({ base, ...additions }: RoleParts): RoleParts {
  const added = Object.entries(additions).flatMap(([name, { cluster, namespaced }]) => {
    const rules: RoleRules = {
      cluster: rulesBeyond(cluster, base.cluster),
      namespaced: rulesBeyond(namespaced, base.namespaced),
    };
    return rules.cluster.length + rules.namespaced.length === 0 ? [] : [[name, rules] as const];
  });
  const merged: RoleRules = { cluster: mergedRules(base.cluster), namespaced: mergedRules(base.namespaced) };
  return { base: merged, ...Object.fromEntries(added) };
}
