import { isDeepStrictEqual } from "node:util";
import type { ClusterRole, ObjectMeta, PolicyRule, RoleRef } from "@stowage/machinery";
import { goQuote } from "@stowage/machinery/structural";
import { ApiError, forbiddenBecause, notFound } from "../../answers/index.ts";
import type { ApiUser } from "../../verbs/api-request.ts";
import { type Authorizer, mastersGroup } from "./authorizer.ts";
import type { PolicyIndex } from "./policy-index.ts";
import { decodePolicy } from "./policy-object.ts";
import { compactRules, listText, missingRules, ruleText } from "./rule-coverage.ts";

const group = "rbac.authorization.k8s.io";

/** A role or binding that somebody is about to write. */
export interface PolicyWrite {
  readonly user: ApiUser;
  readonly resource: string;
  /** Of the request; empty in the whole cluster. */
  readonly namespace: string;
  /** Of the path; empty when the object is created. */
  readonly pathName: string;
  readonly object: object;
  /** As it was; undefined when it is created. */
  readonly previous: object | undefined;
}

interface Written {
  readonly metadata: ObjectMeta;
  readonly rules?: PolicyRule[];
  readonly aggregationRule?: ClusterRole["aggregationRule"];
  readonly roleRef?: RoleRef;
}

const fullAuthority: readonly PolicyRule[] = [
  { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
  { nonResourceURLs: ["*"], verbs: ["*"] },
];

/** Keeps users from giving themselves or others what they do not hold, unless they were given `escalate` or `bind`. */
export class EscalationGuard {
  readonly #index: PolicyIndex;
  readonly #authorizer: Authorizer;

  constructor(index: PolicyIndex, authorizer: Authorizer) {
    this.#index = index;
    this.#authorizer = authorizer;
  }

  /** Throws what the client gets; anything but roles and bindings passes. */
  check(write: PolicyWrite): void {
    const isRole = write.resource === "roles" || write.resource === "clusterroles";
    const isBinding = write.resource === "rolebindings" || write.resource === "clusterrolebindings";
    if (!isRole && !isBinding) return;
    if (write.user.groups.includes(mastersGroup)) return;
    const object = decoded(write.object);
    const previous = write.previous && decoded(write.previous);
    if (isRole) this.#checkRole(write, object, previous);
    else this.#checkBinding(write, object, previous);
  }

  #checkRole(write: PolicyWrite, object: Written, previous: Written | undefined): void {
    const { resource, namespace, pathName: name } = write;
    if (this.#may(write.user, { verb: "escalate", resource, namespace, name })) return;
    if (previous !== undefined && isOnlyForCollection(object, previous)) return;
    this.#confirmHeld(write, object, object.rules ?? []);
    if (resource !== "clusterroles" || !(gathers(object) || (previous !== undefined && gathers(previous)))) return;
    if (this.#missing(write, fullAuthority).length === 0) return;
    throw refusal(write, object, "must have cluster-admin privileges to use the aggregationRule");
  }

  #checkBinding(write: PolicyWrite, object: Written, previous: Written | undefined): void {
    if (previous !== undefined && isOnlyForCollection(object, previous)) return;
    const { kind = "", name = "" } = object.roleRef ?? {};
    const resource = kind === "ClusterRole" ? "clusterroles" : "roles";
    // It is checked before the object is, so that it is an error of the server's.
    if (kind !== "ClusterRole" && kind !== "Role") {
      throw new ApiError(500, "", `unsupported role reference kind: ${goQuote(kind)}`);
    }
    const { namespace } = write;
    if (this.#may(write.user, { verb: "bind", resource, namespace, name })) return;
    const rules = this.#index.rulesOf({ kind, name }, namespace);
    if (rules === undefined) throw notFound({ group, plural: resource }, name);
    this.#confirmHeld(write, object, rules);
  }

  #confirmHeld(write: PolicyWrite, object: Written, rules: readonly PolicyRule[]): void {
    const missing = this.#missing(write, rules);
    if (missing.length === 0) return;
    const { user, namespace } = write;
    const lines = [...new Set(compactRules(missing).map(ruleText))].toSorted();
    const who = `user ${goQuote(user.name)} (groups=${listText(user.groups)})`;
    const why = `${who} is attempting to grant RBAC permissions not currently held:\n${lines.join("\n")}`;
    const { problem } = this.#authorizer.heldRules(user, namespace);
    throw refusal(write, object, problem === "" ? why : `${why}; resolution errors: [${problem}]`);
  }

  #missing({ user, namespace }: PolicyWrite, rules: readonly PolicyRule[]): PolicyRule[] {
    return missingRules(this.#authorizer.heldRules(user, namespace).rules, rules);
  }

  #may(user: ApiUser, wanted: { verb: string; resource: string; namespace: string; name: string }): boolean {
    return this.#authorizer.decide({ isResource: true, user, group, subresource: "", ...wanted }).isAllowed;
  }
}

function refusal({ resource }: PolicyWrite, { metadata: { name = "" } }: Written, why: string) {
  return forbiddenBecause({ group, plural: resource }, name, why);
}

function gathers({ aggregationRule }: Written): boolean {
  return (aggregationRule?.clusterRoleSelectors ?? []).length > 0;
}

/** Whether only owners and finalizers change: the garbage collector has to be able to, whatever the role gives. */
function isOnlyForCollection(object: Written, previous: Written): boolean {
  return isDeepStrictEqual(withoutCollection(object), withoutCollection(previous));
}

function withoutCollection({ metadata, ...rest }: Written): object {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _fields, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

function decoded(object: object): Written {
  return decodePolicy(JSON.stringify(object)) as Written;
}
