import { isDeepStrictEqual } from "node:util";
import {
  type ClusterRole,
  hasErrorCode,
  type LabelMatcher,
  type LabelSelector,
  labelMatcherFrom,
  matchNoLabels,
  type PolicyRule,
} from "@stowage/machinery";

/**
 * The rules of a role that gathers others: those of all roles that its selectors choose, and of what these gather in turn, in the
 * order of their names. Its own do not count: they are only where the gathered ones are written.
 */
export function desiredAggregatedRules(role: ClusterRole, all: Iterable<ClusterRole>): PolicyRule[] {
  const sorted = [...all].toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const seen = new Set<string>();
  const rules: PolicyRule[] = [];
  const gather = (gathering: ClusterRole) => {
    seen.add(nameOf(gathering));
    for (const selector of gathering.aggregationRule?.clusterRoleSelectors ?? []) {
      const matcher = matcherOf(selector);
      for (const each of sorted) {
        if (seen.has(nameOf(each)) || !matcher.matches(each.metadata.labels ?? {})) continue;
        if (each.aggregationRule !== undefined) gather(each);
        else for (const rule of each.rules ?? []) addOnce(rules, rule);
      }
    }
  };
  gather(role);
  return rules;
}

/** One that cannot be read chooses nothing: a role must not gain rights by it, nor may it end every decision. */
function matcherOf(selector: LabelSelector): LabelMatcher {
  try {
    return labelMatcherFrom(selector);
  } catch (error) {
    if (hasErrorCode(error, "INVALID_SELECTOR")) return matchNoLabels;
    throw error;
  }
}

function addOnce(rules: PolicyRule[], rule: PolicyRule): void {
  if (!rules.some((known) => isDeepStrictEqual(known, rule))) rules.push(rule);
}

function nameOf(role: ClusterRole): string {
  return role.metadata.name ?? "";
}
