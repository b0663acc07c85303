import { parseTime, type Quantity } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { fieldsOf, listOf, metadataOf, numberOf, specOf, textOf } from "../../strategies/index.ts";
import { podQuality } from "../../strategies/kinds/pods/pod-quality.ts";
import { containerResources, podResources } from "../pod-resources.ts";
import { one, type ResourceList } from "../resource-lists.ts";
import { isSelected, type ScopeSelector, type UsageRules } from "./usage-rules.ts";

const fixedNames: ReadonlySet<string> = new Set([
  "count/pods",
  "pods",
  ...["cpu", "memory", "ephemeral-storage"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);

/** A quota of these wants every container to say what it needs of them. */
const demanded: ReadonlySet<string> = new Set(
  ["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
);

export const podUsage: UsageRules = {
  handles({ operation, subresource, object, old }) {
    if (subresource === "resize") return operation === "update";
    if (subresource !== "") return false;
    return operation === "create" || (old !== undefined && hasDeadline(object) !== hasDeadline(old));
  },
  counts: (name) => fixedNames.has(name) || /^(requests\.)?hugepages-/u.test(name) || isExtended(name),
  usage(pod, nowMs) {
    if (isOver(pod, nowMs)) return new Map([["count/pods", one]]);
    const options = { withOverhead: true };
    const [requests, limits] = [podResources(pod, "requests", options), podResources(pod, "limits", options)];
    return new Map([["count/pods", one], ...computeUsage(requests, limits)]);
  },
  problem(pod, limited) {
    const spec = specOf(pod);
    const isSetForAll = Object.keys(fieldsOf(spec["resources"])).length > 0;
    const missing = isSetForAll
      ? []
      : missingTexts(
          spec,
          limited.filter((name) => demanded.has(name)),
        );
    return missing.length === 0 ? undefined : `must specify ${missing.join("; ")}`;
  },
  isInScope,
};

function missingTexts(spec: JsonObject, wanted: readonly string[]): string[] {
  const containers = [...listOf(spec["containers"]), ...listOf(spec["initContainers"])];
  const lacking = (name: string) =>
    containers
      .filter(
        (each) => !computeUsage(containerResources(each, "requests"), containerResources(each, "limits")).has(name),
      )
      .map((each) => textOf(fieldsOf(each)["name"]));
  return wanted
    .toSorted()
    .map((name) => ({ name, containers: [...new Set(lacking(name))].toSorted() }))
    .filter((each) => each.containers.length > 0)
    .map((each) => `${each.name} for: ${each.containers.join(",")}`);
}

/** Names that a quota can have for what is requested and limited. */
function computeUsage(requests: ResourceList, limits: ResourceList): ResourceList {
  const used = new Map<string, Quantity>([["pods", one]]);
  for (const [name, amount] of requests) {
    if (isCompute(name) || name.startsWith("hugepages-")) used.set(name, amount);
    if (isCompute(name) || name.startsWith("hugepages-") || name.includes("/")) used.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of limits) if (isCompute(name)) used.set(`limits.${name}`, amount);
  return used;
}

function isCompute(name: string): boolean {
  return name === "cpu" || name === "memory" || name === "ephemeral-storage";
}

/** Of a device, which can only be requested. */
function isExtended(name: string): boolean {
  return name.startsWith("requests.") && name.includes("/") && !name.includes("kubernetes.io/");
}

function hasDeadline(pod: JsonObject): boolean {
  return (numberOf(specOf(pod)["activeDeadlineSeconds"]) ?? -1) >= 0;
}

function isOver(pod: JsonObject, nowMs: number): boolean {
  const phase = fieldsOf(pod["status"])["phase"];
  if (phase === "Failed" || phase === "Succeeded") return true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadataOf(pod);
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false;
  return nowMs > parseTime(textOf(deletionTimestamp)) + (numberOf(deletionGracePeriodSeconds) ?? 0) * 1000;
}

function isInScope(pod: JsonObject, selector: ScopeSelector): boolean {
  const spec = specOf(pod);
  const className = textOf(spec["priorityClassName"]);
  switch (selector.scopeName) {
    case "Terminating":
      return hasDeadline(pod);
    case "NotTerminating":
      return !hasDeadline(pod);
    case "BestEffort":
      return podQuality(spec) === "BestEffort";
    case "NotBestEffort":
      return podQuality(spec) !== "BestEffort";
    case "PriorityClass":
      return isSelected(selector, className === "" ? undefined : className);
    case "CrossNamespacePodAffinity":
      return ["podAffinity", "podAntiAffinity"].some((kind) =>
        looksElsewhere(fieldsOf(fieldsOf(spec["affinity"])[kind])),
      );
    default:
      return false;
  }
}

function looksElsewhere(affinity: JsonObject): boolean {
  const terms = [
    ...listOf(affinity["requiredDuringSchedulingIgnoredDuringExecution"]),
    ...listOf(affinity["preferredDuringSchedulingIgnoredDuringExecution"]).map(
      (each): JsonValue => fieldsOf(fieldsOf(each)["podAffinityTerm"]),
    ),
  ].map(fieldsOf);
  return terms.some(
    ({ namespaces, namespaceSelector }) => listOf(namespaces).length > 0 || namespaceSelector !== undefined,
  );
}
