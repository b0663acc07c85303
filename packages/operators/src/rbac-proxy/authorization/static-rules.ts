import type { UserInfo } from "@stowage/machinery";
import type { StaticRule } from "./authorization-config.ts";
import type { RequestAttributes } from "./request-attributes.ts";

/** Whether one of the rules of `--config-file` allows it outright. */
export function isAllowedByRule(rules: readonly StaticRule[], user: UserInfo, attributes: RequestAttributes): boolean {
  return rules.some((rule) => isSubject(rule, user) && isAction(rule, attributes));
}

/** One of the groups is enough. */
function isSubject({ user: wanted }: StaticRule, { username, groups = [] }: UserInfo): boolean {
  const isGroup = !wanted?.groups?.length || wanted.groups.some((group) => groups.includes(group));
  return isGroup && matches(wanted?.name, username);
}

function isAction(
  rule: StaticRule,
  { resourceAttributes: resource, nonResourceAttributes: other }: RequestAttributes,
): boolean {
  if (rule.resourceRequest !== (resource !== undefined)) return false;
  return (
    matches(rule.verb, resource?.verb ?? other?.verb) &&
    matches(rule.namespace, resource?.namespace) &&
    matches(rule.apiGroup, resource?.group) &&
    matches(rule.resource, resource?.resource) &&
    matches(rule.subresource, resource?.subresource) &&
    matches(rule.name, resource?.name) &&
    matches(rule.path, other?.path)
  );
}

function matches(wanted: string | undefined, actual = ""): boolean {
  return !wanted || wanted === actual;
}
