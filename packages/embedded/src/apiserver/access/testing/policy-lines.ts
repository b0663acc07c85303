import type { Store } from "../../store/index.ts";
import { ruleOf } from "../policy/rule-row.ts";

const apiGroup = "rbac.authorization.k8s.io";

interface Described {
  readonly key: string;
  readonly resource: string;
  readonly namespace: string;
  readonly object: object;
}

/**
 * A role or binding from one line: `ClusterRole name [label]: rule`, `ClusterRole name: gathers label`, `Role namespace/name: rule`,
 * `RoleBinding namespace/name: ClusterRole role to User ann, Group dev, ServiceAccount namespace/name`.
 */
export function policyObject(line: string): Described {
  const [, kind = "", place = "", label, text = ""] = /^(\w+) ([^ :]+)(?: \[(\w+)\])?: ?(.*)$/.exec(line) ?? [];
  const [name = "", namespace = ""] = place.split("/").toReversed();
  const resource = `${kind.toLowerCase()}s`;
  const metadata = {
    name,
    ...(namespace !== "" && { namespace }),
    ...(label !== undefined && { labels: { [label]: "true" } }),
  };
  const object = { apiVersion: `${apiGroup}/v1`, kind, metadata, ...bodyOf(kind, text) };
  return { key: `/registry/${apiGroup}/${resource}/${place}`, resource, namespace, object };
}

function bodyOf(kind: string, text: string): object {
  if (kind.endsWith("Role")) {
    if (!text.startsWith("gathers ")) return { rules: text === "" ? null : [ruleOf(text)] };
    const matchLabels = { [text.slice("gathers ".length)]: "true" };
    return { aggregationRule: { clusterRoleSelectors: [{ matchLabels }] }, rules: null };
  }
  const [role = "", subjects = ""] = text.split(" to ");
  const [roleKind = "", name = ""] = role.split(" ");
  return { roleRef: { apiGroup, kind: roleKind, name }, subjects: subjects.split(", ").map(subjectOf) };
}

function subjectOf(text: string): object {
  const [kind = "", place = ""] = text.split(" ");
  const [name = "", namespace] = place.split("/").toReversed();
  return kind === "ServiceAccount"
    ? { kind, name, ...(namespace !== undefined && { namespace }) }
    : { apiGroup, kind, name };
}

export async function writePolicy(store: Store, ...lines: readonly string[]): Promise<void> {
  const described = lines.map(policyObject);
  await store.transact((transaction) => {
    for (const { key, object } of described) transaction.put(key, JSON.stringify(object));
  });
}

export async function removePolicy(store: Store, line: string): Promise<void> {
  await store.transact((transaction) => transaction.delete(policyObject(line).key));
}
