import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, RoleRef } from "@stowage/machinery";
import type { Store } from "../../store/index.ts";
import type { ApiUser } from "../../verbs/api-request.ts";
import { BindingTable } from "./binding-table.ts";
import { decodePolicy } from "./policy-object.ts";
import { desiredAggregatedRules } from "./role-aggregation.ts";

const root = "/registry/rbac.authorization.k8s.io/";

export type Binding = ClusterRoleBinding | RoleBinding;

/** A binding that applies to a user, with what it gives: undefined when its role is not there. */
export interface Grant {
  readonly binding: Binding;
  readonly rules: readonly PolicyRule[] | undefined;
}

/**
 * The roles and bindings of a store, decoded and found by whom they are for. It follows the store: what is committed counts from then
 * on.
 */
export class PolicyIndex implements Disposable {
  readonly #clusterRoles = new Map<string, ClusterRole>();
  /** By namespace and name. */
  readonly #roles = new Map<string, Role>();
  readonly #bindings = new BindingTable();
  /** Of ClusterRoles that gather others; forgotten when any of them changes. */
  readonly #aggregated = new Map<string, readonly PolicyRule[]>();
  readonly #watch: Disposable | undefined;

  constructor(store: Store) {
    for (const { key, text } of store.list(root)?.objects ?? []) this.#change(key, text);
    this.#watch = store.watch(store.revision, (changes) => {
      for (const { key, text } of changes) if (key.startsWith(root)) this.#change(key, text);
    });
  }

  /** What applies to the user, in the cluster and, unless it is empty, in the namespace. The same may come more than once. */
  *grants(user: ApiUser, namespace: string): Generator<Grant> {
    for (const binding of this.#bindings.of(user, namespace)) {
      yield { binding, rules: this.rulesOf(binding.roleRef, binding.metadata.namespace ?? "") };
    }
  }

  /** Undefined when there is no such role. */
  rulesOf({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    if (kind === "Role") {
      const role = this.#roles.get(`${namespace}/${name}`);
      return role && (role.rules ?? []);
    }
    const role = kind === "ClusterRole" ? this.#clusterRoles.get(name) : undefined;
    if (role === undefined || role.aggregationRule === undefined) return role && (role.rules ?? []);
    const known = this.#aggregated.get(name);
    if (known !== undefined) return known;
    const rules = desiredAggregatedRules(role, this.#clusterRoles.values());
    this.#aggregated.set(name, rules);
    return rules;
  }

  [Symbol.dispose](): void {
    this.#watch?.[Symbol.dispose]();
  }

  #change(key: string, text: string | undefined): void {
    const [resource, ...names] = key.slice(root.length).split("/");
    const name = names.join("/");
    if (resource === "clusterroles") {
      this.#aggregated.clear();
      replace(this.#clusterRoles, name, text);
    } else if (resource === "roles") replace(this.#roles, name, text);
    else if (resource === "clusterrolebindings" || resource === "rolebindings") {
      this.#bindings.set(key, text === undefined ? undefined : (decodePolicy(text) as Binding));
    }
  }
}

function replace<Kept>(map: Map<string, Kept>, name: string, text: string | undefined): void {
  if (text === undefined) map.delete(name);
  else map.set(name, decodePolicy(text) as Kept);
}
