import type { PolicyRule } from "@stowage/machinery";
import { rule } from "./role-rules.ts";

/** What a role allows, one by one: `patch volumeattachments/status` of a group. */
export interface Permission {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
}

export function permissionsOf(rules: readonly PolicyRule[]): Permission[] {
  return rules.flatMap(({ apiGroups = [], resources = [], verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => verbs.map((verb): Permission => ({ group, resource, verb }))),
    ),
  );
}

/** The same rights with one rule for each resource, in the order in which they are first mentioned. */
export function mergedRules(rules: readonly PolicyRule[]): PolicyRule[] {
  return rulesOf(permissionsOf(rules));
}

/** What these rules allow beyond those that are granted already. */
export function rulesBeyond(rules: readonly PolicyRule[], granted: readonly PolicyRule[]): PolicyRule[] {
  const known = new Set(permissionsOf(granted).map(permissionText));
  return rulesOf(permissionsOf(rules).filter((permission) => !known.has(permissionText(permission))));
}

/** `patch volumeattachments/status.storage.k8s.io` */
export function permissionText({ group, resource, verb }: Permission): string {
  return `${verb} ${resource}${group === "" ? "" : `.${group}`}`;
}

function rulesOf(permissions: readonly Permission[]): PolicyRule[] {
  const byResource = Map.groupBy(permissions, ({ group, resource }) => JSON.stringify([group, resource]));
  return [...byResource.values()].map((same) => {
    const [{ group, resource }] = same as [Permission];
    return rule(group, [resource], [...new Set(same.map(({ verb }) => verb))].toSorted(byUse));
  });
}

const verbOrder = ["get", "list", "watch", "create", "update", "patch", "delete"];

function byUse(a: string, b: string): number {
  return verbOrder.indexOf(a) - verbOrder.indexOf(b);
}
