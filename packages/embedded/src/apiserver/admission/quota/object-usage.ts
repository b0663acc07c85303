import { Quantity } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, listOf, numberOf, specOf, textOf } from "../../strategies/index.ts";
import { amountOf } from "../../strategies/kinds/amounts.ts";
import { classOf } from "../plugins/storage-plugins.ts";
import { one, type ResourceList } from "../resource-lists.ts";
import { podUsage } from "./pod-usage.ts";
import { isSelected, type UsageRules } from "./usage-rules.ts";

/** What is counted by an older name, too. */
const aliases: ReadonlySet<string> = new Set(["configmaps", "resourcequotas", "replicationcontrollers", "secrets"]);

/** Reviews and the like, which are not kept, and events. */
const uncounted: ReadonlySet<string> = new Set(["bindings", "componentstatuses", "events"]);
const uncountedGroups: ReadonlySet<string> = new Set([
  "authentication.k8s.io",
  "authorization.k8s.io",
  "events.k8s.io",
]);

/** Undefined for what no quota is about. */
export function usageRulesOf(group: string, plural: string): UsageRules | undefined {
  if (uncountedGroups.has(group) || (group === "" && uncounted.has(plural))) return undefined;
  if (group === "" && plural === "pods") return podUsage;
  if (group === "" && plural === "persistentvolumeclaims") return claimUsage;
  if (group === "" && plural === "services") return serviceUsage;
  const names = [countName(group, plural), ...(group === "" && aliases.has(plural) ? [plural] : [])];
  return {
    handles: ({ operation, subresource }) => operation === "create" && subresource === "",
    counts: (name) => names.includes(name),
    usage: () => new Map(names.map((name) => [name, one])),
  };
}

function countName(group: string, plural: string): string {
  return group === "" ? `count/${plural}` : `count/${plural}.${group}`;
}

const claimNames = ["persistentvolumeclaims", "requests.storage"];
const ofClass = ".storageclass.storage.k8s.io/";

const claimUsage: UsageRules = {
  handles: ({ subresource }) => subresource === "" || subresource === "status",
  counts: (name) =>
    name === "count/persistentvolumeclaims" ||
    claimNames.some((known) => name === known || name.endsWith(ofClass + known)),
  usage(claim) {
    const className = classOf(claim);
    const storage = claimedStorage(claim);
    const own: [string, Quantity][] = [
      ["persistentvolumeclaims", one],
      ...(storage === undefined ? [] : [["requests.storage", storage] as [string, Quantity]]),
    ];
    const inClass = className === "" ? [] : own.map(([name, amount]) => [className + ofClass + name, amount] as const);
    return new Map([["count/persistentvolumeclaims", one], ...own, ...inClass]);
  },
  isInScope(claim, selector) {
    if (selector.scopeName !== "VolumeAttributesClass") return false;
    const names = attributeClasses(claim);
    return names.length === 0 ? isSelected(selector, undefined) : names.some((name) => isSelected(selector, name));
  },
};

/** What was allocated counts where it is more than what is asked for now. Only whole bytes are counted. */
function claimedStorage(claim: JsonObject): Quantity | undefined {
  const asked = amountOf(fieldsOf(fieldsOf(specOf(claim)["resources"])["requests"])["storage"]);
  const allocated = amountOf(fieldsOf(fieldsOf(claim["status"])["allocatedResources"])["storage"]);
  if (asked === undefined) return undefined;
  const counted = allocated !== undefined && allocated.compare(asked) > 0 ? allocated : asked;
  const whole = Quantity.fromBytes(counted.value(), counted.format);
  return whole.equals(counted) ? counted : whole;
}

function attributeClasses(claim: JsonObject): string[] {
  const status = fieldsOf(claim["status"]);
  return [
    specOf(claim)["volumeAttributesClassName"],
    status["currentVolumeAttributesClassName"],
    fieldsOf(status["modifyVolumeStatus"])["targetVolumeAttributesClassName"],
  ]
    .map(textOf)
    .filter((name) => name !== "");
}

const serviceNames = ["count/services", "services", "services.nodeports", "services.loadbalancers"];

const serviceUsage: UsageRules = {
  handles: ({ subresource, operation }) => subresource === "" && operation !== "delete",
  counts: (name) => serviceNames.includes(name),
  usage(service): ResourceList {
    const { type, ports, allocateLoadBalancerNodePorts } = specOf(service);
    const isBalanced = type === "LoadBalancer";
    const set = listOf(ports).filter((port) => (numberOf(fieldsOf(port)["nodePort"]) ?? 0) !== 0).length;
    const all = listOf(ports).length;
    const onNodes = type === "NodePort" ? all : isBalanced ? (allocateLoadBalancerNodePorts === false ? set : all) : 0;
    return new Map([
      ["count/services", one],
      ["services", one],
      ["services.nodeports", Quantity.parse(String(onNodes))],
      ["services.loadbalancers", isBalanced ? one : Quantity.zero],
    ]);
  },
};
