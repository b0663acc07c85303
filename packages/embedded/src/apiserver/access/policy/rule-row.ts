import type { PolicyRule } from "@stowage/machinery";

/**
 * A rule in one line: `verbs | groups | resources | names`, or `verbs | paths`. `read` and `write` stand for several verbs, `core` for
 * the group without a name, and `events` alone for what everybody needs who reports events.
 */
export type RuleRow = string;

/** By the name of the role. */
export type RoleTable = Readonly<Record<string, readonly RuleRow[]>>;

const wordVerbs: Readonly<Record<string, readonly string[]>> = {
  read: ["get", "list", "watch"],
  write: ["create", "delete", "deletecollection", "patch", "update"],
};

const eventsRow: RuleRow = "create patch update | core events.k8s.io | events";

export function ruleOf(row: RuleRow): PolicyRule {
  const [verbWords = [], groups = [], resources, names] = (row === "events" ? eventsRow : row).split(" | ").map(words);
  const verbs = verbWords.flatMap((word) => wordVerbs[word] ?? [word]).toSorted();
  if (resources === undefined) return { nonResourceURLs: groups, verbs };
  const apiGroups = groups.map((group) => (group === "core" ? "" : group));
  return { apiGroups, ...(names !== undefined && { resourceNames: names }), resources, verbs };
}

function words(text: string): string[] {
  return text.split(" ");
}
