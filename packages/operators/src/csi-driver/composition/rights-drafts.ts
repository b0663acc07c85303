import type { PolicyRule } from "@stowage/machinery";
import type { Draft } from "./draft.ts";
import type { DriverComposition, SidecarRules } from "./driver-composition.ts";
import { exposesNodeMetrics } from "./node-drafts.ts";
import {
  clusterRole,
  clusterRoleBinding,
  leaderElectionRules,
  ownAccount,
  privilegedRules,
  prometheusAccount,
  prometheusRules,
  rbacProxyRules,
  role,
  roleBinding,
} from "./rights.ts";
import { controllerSidecars } from "./sidecar-table.ts";

/** Who of the driver may do what. */
export function rightsDrafts(composition: DriverComposition, rules: SidecarRules): Draft[] {
  const { assetPrefix, assetShortPrefix } = composition;
  const prometheus = `${assetPrefix}-prometheus`;
  const privileged = `${assetShortPrefix}-privileged-role`;
  return [
    { stem: "privileged-role", base: clusterRole(privileged, privilegedRules) },
    {
      stem: "node-privileged-binding",
      base: clusterRoleBinding(`${assetShortPrefix}-node-privileged-binding`, privileged, nodeAccount(composition)),
    },
    { stem: "prometheus-role", base: role(prometheus, prometheusRules) },
    { stem: "prometheus-binding", base: roleBinding(prometheus, prometheusAccount) },
    ...controllerRights(composition, rules),
    ...nodeRights(composition, rules),
  ];
}

function controllerRights(composition: DriverComposition, { namespaced }: SidecarRules): Draft[] {
  const { assetPrefix, assetShortPrefix, controller, modes } = composition;
  if (controller === undefined) return [];
  const account = `${assetPrefix}-controller-sa`;
  const binding = (stem: string, name: string, target: string): Draft => ({
    stem,
    base: clusterRoleBinding(`${assetShortPrefix}-${name}`, target, account),
  });
  const election = `${assetPrefix}-lease-leader-election`;
  return [
    ...rbacProxyRights(assetShortPrefix, "", account),
    ...modes.map((mode): Draft => {
      const rules = mode === "Combined" ? combinedRules(namespaced) : leaderElectionRules;
      const stem = "lease-leader-election-role";
      return { stem, ...(modes.length > 1 && { mode }), base: role(election, rules) };
    }),
    { stem: "lease-leader-election-binding", base: roleBinding(election, ownAccount(account)) },
    ...controller.sidecars.map(({ name }) => {
      const sidecar = controllerSidecars[name];
      return binding(`main-${name}-binding`, sidecar.binding, sidecar.role);
    }),
    ...readers(composition).map(({ sidecar, what }) =>
      binding(
        `${sidecar}-${what}-reader-binding`,
        `csi-${what}-reader-${sidecar}-binding`,
        `openshift-csi-${sidecar}-${what}-reader-role`,
      ),
    ),
  ];
}

/** Rights that only some drivers need, or that the main roles have come to lack. */
function readers({ controller }: DriverComposition): { readonly sidecar: string; readonly what: string }[] {
  const { sidecars = [], restoresSnapshots = false, hasAttributesClasses = false } = controller ?? {};
  const all = [
    { sidecar: "provisioner", what: "volumesnapshot", isNeeded: restoresSnapshots },
    { sidecar: "provisioner", what: "volumeattributesclass", isNeeded: hasAttributesClasses },
    { sidecar: "resizer", what: "storageclass", isNeeded: true },
    { sidecar: "resizer", what: "volumeattributesclass", isNeeded: hasAttributesClasses },
  ];
  return all.filter(({ sidecar, isNeeded }) => isNeeded && sidecars.some(({ name }) => name === sidecar));
}

/**
 * The Role for leases has more in it when all sidecars are in one: what they write down before they make a volume. As another Role it
 * would have to be looked for, and deleted, wherever they are separate.
 */
function combinedRules(namespaced: readonly PolicyRule[]): PolicyRule[] {
  const isOfLeases = ({ resources = [] }: PolicyRule) => resources.includes("leases");
  return [...leaderElectionRules, ...namespaced.filter((rule) => !isOfLeases(rule))];
}

/** Sidecars on each node have rights of their own: exactly what they need. */
function nodeRights(composition: DriverComposition, { cluster, namespaced }: SidecarRules): Draft[] {
  const { assetPrefix, assetShortPrefix, node } = composition;
  const account = nodeAccount(composition);
  const proxies = exposesNodeMetrics(composition) ? rbacProxyRights(assetShortPrefix, "node-", account) : [];
  if (node.sidecars === undefined) return proxies;
  const clusterName = `${assetShortPrefix}-csi-sidecars-role`;
  const name = `${assetPrefix}-sidecars`;
  return [
    ...proxies,
    { stem: "sidecars-cluster-role", base: clusterRole(clusterName, cluster) },
    {
      stem: "sidecars-cluster-binding",
      base: clusterRoleBinding(`${assetShortPrefix}-csi-sidecars-binding`, clusterName, account),
    },
    { stem: "sidecars-role", base: role(name, namespaced) },
    { stem: "sidecars-binding", base: roleBinding(name, ownAccount(account)) },
  ];
}

/** `part` is empty, or `node-`. */
function rbacProxyRights(assetShortPrefix: string, part: string, account: string): Draft[] {
  const name = `${assetShortPrefix}-${part}kube-rbac-proxy`;
  return [
    { stem: `${part}kube-rbac-proxy-role`, base: clusterRole(`${name}-role`, rbacProxyRules) },
    {
      stem: `${part}kube-rbac-proxy-binding`,
      base: clusterRoleBinding(`${name}-binding`, `${name}-role`, account),
    },
  ];
}

function nodeAccount({ assetPrefix }: DriverComposition): string {
  return `${assetPrefix}-node-sa`;
}
