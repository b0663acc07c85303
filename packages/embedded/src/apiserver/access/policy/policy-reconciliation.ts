import { isDeepStrictEqual } from "node:util";
import type { ClusterRole, ClusterRoleBinding, ObjectMeta, Role, RoleBinding, Subject } from "@stowage/machinery";
import { missingRules } from "../authorization/rule-coverage.ts";

type AnyRole = ClusterRole | Role;
type AnyBinding = ClusterRoleBinding | RoleBinding;

export type PolicyObject = AnyRole | AnyBinding;

/**
 * What a default role or binding becomes where it is there already: what it lacks is added, and what somebody added is left. Undefined
 * when nothing changes, or when somebody has said that it is theirs (autoupdate "false").
 */
export function reconciledPolicy(existing: PolicyObject, expected: PolicyObject): PolicyObject | undefined {
  if (existing.metadata.annotations?.["rbac.authorization.kubernetes.io/autoupdate"] === "false") return undefined;
  const next =
    "roleRef" in existing && "roleRef" in expected
      ? reconciledBinding(existing, expected)
      : reconciledRole(existing as AnyRole, expected as AnyRole);
  return isDeepStrictEqual(next, existing) ? undefined : next;
}

function reconciledRole(existing: AnyRole, expected: AnyRole): AnyRole {
  const rules = existing.rules ?? [];
  const missing = missingRules(rules, expected.rules ?? []);
  const next = { ...existing, metadata: reconciledMetadata(existing.metadata, expected.metadata) };
  if (missing.length > 0) next.rules = [...rules, ...missing];
  if (next.kind === "Role") return next;
  const { aggregationRule, ...rest } = next;
  const wanted = expected.kind === "ClusterRole" ? expected.aggregationRule?.clusterRoleSelectors : undefined;
  if (wanted === undefined) return rest;
  const selectors = aggregationRule?.clusterRoleSelectors ?? [];
  const lacking = wanted.filter((selector) => !selectors.some((known) => isDeepStrictEqual(known, selector)));
  if (lacking.length === 0) return next;
  return { ...next, aggregationRule: { clusterRoleSelectors: [...selectors, ...lacking] } };
}

/** One for another role cannot be changed into ours, and is made anew. */
function reconciledBinding(existing: AnyBinding, expected: AnyBinding): AnyBinding {
  if (!isDeepStrictEqual({ ...existing.roleRef }, { ...expected.roleRef })) return expected;
  const subjects = existing.subjects ?? [];
  const missing = (expected.subjects ?? []).filter(
    (subject) => !subjects.some((known) => isSameSubject(known, subject)),
  );
  const metadata = reconciledMetadata(existing.metadata, expected.metadata);
  return { ...existing, metadata, ...(missing.length > 0 && { subjects: [...subjects, ...missing] }) };
}

function isSameSubject(a: Subject, b: Subject): boolean {
  const same = (key: "apiGroup" | "kind" | "name" | "namespace") => (a[key] ?? "") === (b[key] ?? "");
  return same("apiGroup") && same("kind") && same("name") && same("namespace");
}

/** What is there has precedence. */
function reconciledMetadata(existing: ObjectMeta, expected: ObjectMeta): ObjectMeta {
  return {
    ...existing,
    labels: { ...expected.labels, ...existing.labels },
    annotations: { ...expected.annotations, ...existing.annotations },
  };
}
