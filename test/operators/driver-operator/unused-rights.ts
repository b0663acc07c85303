import type { ClusterRole, PolicyRule } from "@stowage/machinery";
import { assetIdentities } from "./applied-objects.ts";
import type { AuditedRequest } from "./audit.ts";
import type { RunningOperator } from "./running-operator.ts";

/** Rights for days that a test does not live through, with what they are for. */
const rarelyUsed: readonly { readonly right: RegExp; readonly why: string }[] = [
  { right: /^list /u, why: "copies are streamed; only servers without that are asked for a list" },
  { right: /^get (?!deployments\.apps service-ca$)/u, why: "an object is read when its local copy is behind" },
  { right: /^delete /u, why: "an object is made anew when something in it differs that cannot be changed" },
  {
    right: /^update (?!deployments|daemonsets|configmaps cloud-conf|leases)/u,
    why: "only what somebody has changed is put right",
  },
  { right: /^watch customresourcedefinitions/u, why: "only while snapshot classes are not served" },
  { right: /^watch leases/u, why: "only while another process has the lease" },
  { right: /^patch events$/u, why: "an event that repeats" },
  { right: /^patch persistentvolumes$/u, why: "volumes are marked when a hosted cluster's tags change" },
  { right: /^bind /u, why: "asked by the server itself, when a binding is made" },
];

/** What the rules allow and nobody has used, but for what only other days need and what is held to be given on to the driver. */
export function unusedRights(operator: RunningOperator): string[] {
  const { rules, profile } = operator;
  const used = new Set(operator.requests().flatMap(textsOf));
  // Nobody may give what he does not have.
  const given = new Set(
    assetIdentities(profile).flatMap((object) => ((object as ClusterRole).rules ?? []).flatMap(rightsOf)),
  );
  const all = [...rules.cluster, ...Object.values(rules.namespaced).flat()].flatMap(rightsOf);
  return [...new Set(all)].filter(
    (right) => !used.has(right) && !given.has(right) && !rarelyUsed.some((rare) => rare.right.test(right)),
  );
}

function rightsOf({ apiGroups = [], resources = [], resourceNames = [""], verbs }: PolicyRule): string[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      resourceNames.flatMap((name) => verbs.map((verb) => textOf({ verb, group, resource, name }))),
    ),
  );
}

/** A request may be allowed by name or without. */
function textsOf({ verb, group, resource, name }: AuditedRequest): string[] {
  return [textOf({ verb, group, resource, name }), textOf({ verb, group, resource, name: "" })];
}

function textOf({ verb, group, resource, name }: Pick<AuditedRequest, "verb" | "group" | "resource" | "name">): string {
  return `${verb} ${resource}${group && `.${group}`} ${name}`.trim();
}
