import { isDeepStrictEqual } from "node:util";
import type { Clock, ClusterRole } from "@stowage/machinery";
import { applyConfiguration, builtInKind, type JsonObject } from "@stowage/machinery/apply";
import type { Store } from "../../store/index.ts";
import { decodePolicy } from "../authorization/policy-object.ts";
import { desiredAggregatedRules } from "../authorization/role-aggregation.ts";

export interface RoleAggregatorDeps {
  readonly store: Store;
  readonly clock: Clock;
}

const prefix = "/registry/rbac.authorization.k8s.io/clusterroles/";
const manager = "clusterrole-aggregation-controller";

/**
 * Writes into roles that gather others what they gather, for people to read: decisions do not wait for it. Follows every change of a
 * ClusterRole until the signal is aborted; settles when the last write is done.
 */
export async function startRoleAggregator(deps: RoleAggregatorDeps, signal: AbortSignal): Promise<void> {
  let wake = Promise.withResolvers<void>();
  using _watch = deps.store.watch(deps.store.revision, (changes) => {
    if (changes.some(({ key }) => key.startsWith(prefix))) wake.resolve();
  });
  signal.addEventListener("abort", () => wake.resolve(), { once: true });
  while (!signal.aborted) {
    await syncAggregatedRoles(deps);
    if (signal.aborted) return;
    await wake.promise;
    wake = Promise.withResolvers<void>();
  }
}

/** One pass over all ClusterRoles. */
export async function syncAggregatedRoles({ store, clock }: RoleAggregatorDeps): Promise<void> {
  const roles = (store.list(prefix)?.objects ?? []).map(({ text }) => decodePolicy(text) as ClusterRole);
  const stale = roles.flatMap((role) => {
    if (role.aggregationRule === undefined) return [];
    const rules = desiredAggregatedRules(role, roles);
    return isDeepStrictEqual(rules, role.rules ?? []) ? [] : [{ name: role.metadata.name ?? "", rules }];
  });
  await Promise.all(
    stale.map(({ name, rules }) =>
      store.transact((transaction) => {
        const stored = transaction.get(prefix + name);
        if (stored === undefined) return;
        const live = JSON.parse(stored.text) as JsonObject;
        const next = applied(live, JSON.parse(JSON.stringify(rules)) as JsonObject[], clock.nowMs());
        const metadata = { ...(next["metadata"] as JsonObject), resourceVersion: String(transaction.revision) };
        transaction.put(prefix + name, JSON.stringify({ ...next, metadata }));
      }),
    ),
  );
}

function applied(live: JsonObject, rules: JsonObject[], nowMs: number): JsonObject {
  const apiVersion = "rbac.authorization.k8s.io/v1";
  const kind = "ClusterRole";
  const { name } = live["metadata"] as { readonly name: string };
  const managed = builtInKind(apiVersion, kind);
  if (managed === undefined) return { ...live, rules };
  const configuration = { apiVersion, kind, metadata: { name }, rules };
  return applyConfiguration(managed, { live, applied: configuration, manager, force: true, nowMs });
}
