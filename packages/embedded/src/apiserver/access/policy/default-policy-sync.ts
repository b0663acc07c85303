import { randomUUID } from "node:crypto";
import { type Clock, formatTime, type ObjectMeta } from "@stowage/machinery";
import { builtInKind, type JsonObject, trackUpdate } from "@stowage/machinery/apply";
import type { Store, Transaction } from "../../store/index.ts";
import { decodePolicy } from "../authorization/policy-object.ts";
import { desiredPolicy } from "./default-policy.ts";
import { type PolicyObject, reconciledPolicy } from "./policy-reconciliation.ts";

export interface DefaultPolicyDeps {
  readonly store: Store;
  readonly clock: Clock;
}

/** Whose managed fields say so. */
const manager = "kube-apiserver";

/** Makes the default roles and bindings, and adds to those that are there what they lack. Run at each start, before the first request. */
export async function syncDefaultPolicy({ store, clock }: DefaultPolicyDeps): Promise<void> {
  const { clusterRoles, clusterRoleBindings, roles, roleBindings } = desiredPolicy();
  const objects: readonly PolicyObject[] = [...clusterRoles, ...clusterRoleBindings, ...roles, ...roleBindings];
  // One transaction each, since each has a version of its own; they share one commit all the same.
  await Promise.all(
    objects.map((expected) => store.transact((transaction) => writeDefault(transaction, expected, clock.nowMs()))),
  );
}

function writeDefault(transaction: Transaction, expected: PolicyObject, nowMs: number): void {
  const key = keyOf(expected);
  const stored = transaction.get(key);
  if (stored === undefined) {
    transaction.put(key, created(expected, transaction.revision, nowMs));
    return;
  }
  const existing = decodePolicy(stored.text) as PolicyObject;
  const next = reconciledPolicy(existing, expected);
  if (next === undefined) return;
  const isNew = next === expected;
  transaction.put(
    key,
    isNew
      ? created(expected, transaction.revision, nowMs)
      : tracked({ live: existing, next, revision: transaction.revision, nowMs }),
  );
}

function created(expected: PolicyObject, revision: number, nowMs: number): string {
  const { name, namespace, ...others } = expected.metadata;
  const metadata: ObjectMeta = {
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    uid: randomUUID(),
    creationTimestamp: formatTime(nowMs),
    ...others,
  };
  return tracked({ live: undefined, next: { ...expected, metadata }, revision, nowMs });
}

interface Tracked {
  readonly live: PolicyObject | undefined;
  readonly next: PolicyObject;
  readonly revision: number;
  readonly nowMs: number;
}

function tracked({ live, next, revision, nowMs }: Tracked): string {
  const managed = builtInKind(next.apiVersion, next.kind);
  const request = { live: live && jsonOf(live), next: jsonOf(next), manager, nowMs };
  const { kind, apiVersion, metadata, ...rest } = managed === undefined ? request.next : trackUpdate(managed, request);
  const { name, namespace, uid, resourceVersion: _, ...others } = metadata as JsonObject;
  const versioned = { name, namespace, uid, resourceVersion: String(revision), ...others };
  // A role without rules says so.
  const body = "roleRef" in rest ? rest : { ...rest, rules: rest["rules"] ?? null };
  return JSON.stringify({ kind, apiVersion, metadata: versioned, ...body });
}

function jsonOf(object: PolicyObject): JsonObject {
  return JSON.parse(JSON.stringify(object)) as JsonObject;
}

function keyOf({ kind, metadata: { namespace, name } }: PolicyObject): string {
  const within = namespace === undefined ? "" : `${namespace}/`;
  return `/registry/rbac.authorization.k8s.io/${kind.toLowerCase()}s/${within}${name}`;
}
