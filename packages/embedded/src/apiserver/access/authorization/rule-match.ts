import type { PolicyRule } from "@stowage/machinery";
import type { AccessAttributes, ResourceAccess } from "./access-attributes.ts";

export function ruleAllows(rule: PolicyRule, attributes: AccessAttributes): boolean {
  if (!hasOrAll(rule.verbs, attributes.verb)) return false;
  if (!attributes.isResource) return (rule.nonResourceURLs ?? []).some((url) => urlCovers(url, attributes.path));
  const { resourceNames = [] } = rule;
  return (
    hasOrAll(rule.apiGroups, attributes.group) &&
    allowsResource(rule.resources, attributes) &&
    (resourceNames.length === 0 || resourceNames.includes(attributes.name))
  );
}

/** `pods`, `pods/log`, `*` for all of both, `*\/scale` for one subresource of everything. */
function allowsResource(resources: readonly string[] = [], { resource, subresource }: ResourceAccess): boolean {
  if (subresource === "") return hasOrAll(resources, resource);
  return hasOrAll(resources, `${resource}/${subresource}`) || resources.includes(`*/${subresource}`);
}

function hasOrAll(list: readonly string[] | undefined, wanted: string): boolean {
  return list !== undefined && (list.includes("*") || list.includes(wanted));
}

/** A star at the end stands for whatever follows; several are as one. */
export function urlCovers(url: string, path: string): boolean {
  return url === path || (url.endsWith("*") && path.startsWith(url.replace(/\*+$/, "")));
}
