import type { PolicyRule } from "@stowage/machinery";
import { goQuote } from "@stowage/machinery/structural";
import { urlCovers } from "./rule-match.ts";

/** What of `wanted` is not in `held`, taken apart: one verb on one resource, object or path each. */
export function missingRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(singleRules).filter((single) => !held.some((rule) => ruleCovers(rule, single)));
}

function singleRules({ apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [], verbs }: PolicyRule) {
  const named = resourceNames.length === 0 ? [{}] : resourceNames.map((name) => ({ resourceNames: [name] }));
  const onResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        named.map((names) => ({ apiGroups: [group], resources: [resource], verbs: [verb], ...names })),
      ),
    ),
  );
  const onPaths = nonResourceURLs.flatMap((url) => verbs.map((verb) => ({ nonResourceURLs: [url], verbs: [verb] })));
  return [...onResources, ...onPaths];
}

/** `single` has at most one of each. */
function ruleCovers(rule: PolicyRule, single: PolicyRule): boolean {
  const { resourceNames = [] } = rule;
  return (
    hasAll(rule.verbs, single.verbs) &&
    hasAll(rule.apiGroups, single.apiGroups) &&
    (hasAll(rule.resources, single.resources) || hasAllParts(rule.resources, single.resources)) &&
    (single.nonResourceURLs ?? []).every((path) => (rule.nonResourceURLs ?? []).some((url) => urlCovers(url, path))) &&
    // Whoever holds some objects by name does not hold all of them.
    (resourceNames.length === 0 ||
      (single.resourceNames !== undefined && single.resourceNames.every((name) => resourceNames.includes(name))))
  );
}

function hasAll(list: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return list.includes("*") || wanted.every((each) => list.includes(each));
}

/** By `*\/scale`, of which `deployments/scale` is a part. */
function hasAllParts(list: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return wanted.every((resource) => {
    const slash = resource.indexOf("/");
    return slash >= 0 && list.includes(`*${resource.slice(slash)}`);
  });
}

/** Single rules put together again where they differ by verb alone. */
export function compactRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const compacted = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { verbs, ...rest } = rule;
    // Rules for paths are not put together; so it is done there.
    const key = JSON.stringify(rule.nonResourceURLs === undefined ? rest : rule);
    const known = compacted.get(key);
    compacted.set(key, known === undefined ? rule : { ...known, verbs: [...known.verbs, ...verbs] });
  }
  return [...compacted.values()];
}

/** `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`. */
export function ruleText({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const fields: [string, readonly string[] | undefined][] = [
    ["APIGroups", apiGroups],
    ["Resources", resources],
    ["NonResourceURLs", nonResourceURLs],
    ["ResourceNames", resourceNames],
    ["Verbs", verbs],
  ];
  const parts = fields
    .filter(([, list = []]) => list.length > 0)
    .map(([name, list = []]) => `${name}:${listText(list)}`);
  return `{${parts.join(", ")}}`;
}

/** A list of texts as Go quotes it. */
export function listText(list: readonly string[]): string {
  return `[${list.map(goQuote).join(" ")}]`;
}
