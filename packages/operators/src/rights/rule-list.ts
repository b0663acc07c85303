import type { PolicyRule, ResourceType } from "@stowage/machinery";

type Resource = Pick<ResourceType, "group" | "plural">;

/** On any object of the resource. */
export function mayAll({ group, plural }: Resource, ...verbs: readonly string[]): PolicyRule {
  return { apiGroups: [group], resources: [plural], verbs: [...verbs] };
}

/** On these objects and no others. Creation cannot be limited so: the server does not know the name yet when it decides. */
export function mayNamed(resource: Resource, names: readonly string[], ...verbs: readonly string[]): PolicyRule {
  return { ...mayAll(resource, ...verbs), resourceNames: [...names] };
}

/** The same rights in as few rules: the verbs of one resource together, then the names that have the same verbs. */
export function mergedRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const single = rules.flatMap(singleRules);
  const byObject = grouped(single, ({ apiGroups, resources, nonResourceURLs, resourceNames }) => [
    apiGroups,
    resources,
    nonResourceURLs,
    resourceNames,
  ]).map((same): PolicyRule => ({ ...same[0], verbs: sortedVerbs(same.flatMap(({ verbs }) => verbs)) }));
  return grouped(byObject, ({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }) => [
    apiGroups,
    resources,
    nonResourceURLs,
    resourceNames === undefined,
    verbs,
  ]).map((same) => {
    const [first] = same as [PolicyRule];
    const names = same.flatMap(({ resourceNames = [] }) => resourceNames).toSorted();
    return names.length === 0 ? first : { ...first, resourceNames: names };
  });
}

/** One resource and at most one name in each. */
function singleRules(rule: PolicyRule): PolicyRule[] {
  const { apiGroups = [], resources = [], resourceNames = [], verbs, nonResourceURLs } = rule;
  if (nonResourceURLs !== undefined) return [{ nonResourceURLs, verbs }];
  const names = resourceNames.length === 0 ? [undefined] : resourceNames;
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      names.map((name) => ({
        apiGroups: [group],
        resources: [resource],
        ...(name !== undefined && { resourceNames: [name] }),
        verbs,
      })),
    ),
  );
}

function grouped(rules: readonly PolicyRule[], keyOf: (rule: PolicyRule) => unknown): PolicyRule[][] {
  return [...Map.groupBy(rules, (rule) => JSON.stringify(keyOf(rule))).values()];
}

const verbOrder = ["get", "list", "watch", "create", "update", "patch", "delete"];

function sortedVerbs(verbs: readonly string[]): string[] {
  const rank = (verb: string) => verbOrder.indexOf(verb) >>> 0;
  return [...new Set(verbs)].toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}
