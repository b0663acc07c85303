import type { PolicyRule, Subject } from "@stowage/machinery";
import { goQuote } from "@stowage/machinery/structural";
import { type ApiError, forbidden, forbiddenPath } from "../../answers/index.ts";
import type { ApiUser } from "../../verbs/api-request.ts";
import type { NodeAuthorizer } from "../nodes/node-authorizer.ts";
import { nodeNameOf } from "../nodes/node-identity.ts";
import type { AccessAttributes } from "./access-attributes.ts";
import { isFor } from "./binding-table.ts";
import type { Binding, PolicyIndex } from "./policy-index.ts";
import { ruleAllows } from "./rule-match.ts";

/** Whoever is in it may do everything, whatever roles there are. */
export const mastersGroup = "system:masters";

export interface Decision {
  readonly isAllowed: boolean;
  /** Empty where there is none to give. */
  readonly reason: string;
}

export interface HeldRules {
  readonly rules: readonly PolicyRule[];
  /** About bindings whose role is not there; empty when there are none. */
  readonly problem: string;
}

/** Says who may do what, by the roles and bindings of an index; of nodes, somebody else is asked first. */
export class Authorizer {
  readonly #index: PolicyIndex;
  readonly #nodes: NodeAuthorizer | undefined;

  constructor(index: PolicyIndex, nodes?: NodeAuthorizer) {
    this.#index = index;
    this.#nodes = nodes;
  }

  decide(attributes: AccessAttributes): Decision {
    const { user } = attributes;
    if (user.groups.includes(mastersGroup)) return { isAllowed: true, reason: "" };
    const ofNode = this.#nodes?.decide(attributes);
    if (ofNode?.isAllowed === true) return ofNode;
    const byRoles = this.#decideByRoles(attributes);
    if (byRoles.isAllowed || ofNode === undefined) return byRoles;
    return { isAllowed: false, reason: [ofNode.reason, byRoles.reason].filter((each) => each !== "").join("\n") };
  }

  #decideByRoles(attributes: AccessAttributes): Decision {
    const { user } = attributes;
    const namespace = attributes.isResource ? attributes.namespace : "";
    const problems = new Set<string>();
    for (const { binding, rules } of this.#index.grants(user, namespace)) {
      if (rules === undefined) problems.add(roleProblem(binding));
      else if (rules.some((rule) => ruleAllows(rule, attributes))) {
        return { isAllowed: true, reason: `RBAC: allowed by ${bindingText(binding, user)}` };
      }
    }
    return { isAllowed: false, reason: problems.size === 0 ? "" : `RBAC: ${problemText(problems)}` };
  }

  /** Why more may be allowed than `heldRules` has; undefined when that is all. */
  unlistedRules(user: ApiUser): string | undefined {
    const isNode = this.#nodes !== undefined && nodeNameOf(user) !== undefined;
    return isNode ? "node authorizer does not support user rule resolution" : undefined;
  }

  /** All that the user holds by roles, in the namespace too unless it is empty. */
  heldRules(user: ApiUser, namespace: string): HeldRules {
    const grants = new Map([...this.#index.grants(user, namespace)].map((grant) => [grant.binding, grant]));
    const problems = new Set<string>();
    const held: PolicyRule[] = [];
    for (const { binding, rules } of [...grants.values()].toSorted((a, b) => byPlace(a.binding, b.binding))) {
      if (rules === undefined) problems.add(roleProblem(binding));
      else held.push(...rules);
    }
    return { rules: held, problem: problems.size === 0 ? "" : problemText(problems) };
  }

  /** Undefined when the user may. */
  refusal(attributes: AccessAttributes): ApiError | undefined {
    const { isAllowed, reason } = this.decide(attributes);
    if (isAllowed) return undefined;
    const user = attributes.user.name;
    if (!attributes.isResource) return forbiddenPath({ user, verb: attributes.verb, path: attributes.path, reason });
    const { verb, group, resource, subresource, namespace, name } = attributes;
    return forbidden({
      user,
      verb,
      resource: { group, plural: resource },
      ...(subresource !== "" && { subresource }),
      ...(namespace !== "" && { namespace }),
      name,
      reason,
    });
  }
}

function bindingText({ kind, metadata, roleRef, subjects = [] }: Binding, user: ApiUser): string {
  const { name = "", namespace = "" } = metadata;
  const subject = subjects.find((each) => isFor(each, user, namespace));
  const whole = kind === "RoleBinding" ? `${name}/${namespace}` : name;
  const to = subject === undefined ? "" : subjectText(subject, namespace);
  return `${kind} ${goQuote(whole)} of ${roleRef.kind} ${goQuote(roleRef.name)} to ${to}`;
}

function subjectText({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  if (kind !== "ServiceAccount") return `${kind} ${goQuote(name)}`;
  const within = namespace === undefined || namespace === "" ? bindingNamespace : namespace;
  return `${kind} ${goQuote(`${name}/${within}`)}`;
}

function roleProblem({ roleRef: { kind, name } }: Binding): string {
  if (kind !== "Role" && kind !== "ClusterRole") return `unsupported role reference kind: ${goQuote(kind)}`;
  return `${kind.toLowerCase()}.rbac.authorization.k8s.io ${goQuote(name)} not found`;
}

function problemText(problems: ReadonlySet<string>): string {
  const texts = [...problems];
  return texts.length === 1 ? (texts[0] ?? "") : `[${texts.join(", ")}]`;
}

/** Those of the cluster first, then by name. */
function byPlace(a: Binding, b: Binding): number {
  if (a.kind !== b.kind) return a.kind === "ClusterRoleBinding" ? -1 : 1;
  return (a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1;
}
