import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import {
  fieldsOf,
  isFields,
  metadataOf,
  numberOf,
  specOf,
  textOf,
  withFields,
  withMetadata,
} from "../../../json-fields.ts";
import { hugePagePrefix, isOfPods, isOvercommitted } from "../checks/containers/resource-names.ts";
import { itemsOf } from "../checks/field-checks.ts";
import { containerTotal } from "../pod-resources.ts";
import { type Change, changed, changedItems, withPointerDefaults } from "./field-defaults.ts";
import { podSpecDefaults } from "./pod-spec-defaults.ts";

/** What a Pod gets: all that a template's spec gets, and what is known only when there is a Pod. */
export function podDefaults(pod: JsonObject): JsonObject {
  const spec = ownDefaults(podSpecDefaults(specOf(pod)));
  return withAddresses({ ...withoutOldAnnotations(pod), spec });
}

/** What a template gets, wherever it is. */
export function podTemplateDefaults(template: JsonObject): JsonObject {
  return { ...withoutOldAnnotations(template), spec: podSpecDefaults(specOf(template)) };
}

const initContainerAnnotations = ["beta", "alpha"].flatMap((stage) =>
  ["init-containers", "init-container-statuses"].map((name) => `pod.${stage}.kubernetes.io/${name}`),
);

/** Init containers were annotations once; whoever still sends them means what is in the spec. */
function withoutOldAnnotations(object: JsonObject): JsonObject {
  const annotations = fieldsOf(metadataOf(object)["annotations"]);
  const old = initContainerAnnotations.filter((name) => annotations[name] !== undefined);
  if (old.length === 0) return object;
  const rest = withFields(annotations, Object.fromEntries(old.map((name) => [name, undefined])));
  return withMetadata(object, { annotations: Object.keys(rest).length === 0 ? undefined : rest });
}

function ownDefaults(spec: JsonObject): JsonObject {
  const isOfHost = spec["hostNetwork"] === true;
  const container: Change = (each) => withRequests(isOfHost ? withHostPorts(each) : each);
  const listed = changedItems(spec, { containers: container, initContainers: container });
  const seconds = numberOf(listed["terminationGracePeriodSeconds"]) ?? 0;
  return withPointerDefaults(
    withWholeResources(seconds < 0 ? { ...listed, terminationGracePeriodSeconds: 1 } : listed),
    {
      enableServiceLinks: true,
    },
  );
}

/** Who says only how much they may have asks for that. */
function withRequests(container: JsonObject): JsonObject {
  return changed(container, {
    resources: (resources) =>
      isFields(resources["limits"])
        ? { ...resources, requests: { ...resources["limits"], ...fieldsOf(resources["requests"]) } }
        : resources,
  });
}

function withHostPorts(container: JsonObject): JsonObject {
  return changedItems(container, {
    ports: (port) =>
      (numberOf(port["hostPort"]) ?? 0) === 0 ? { ...port, hostPort: port["containerPort"] ?? 0 } : port,
  });
}

/** A Pod that says something of itself as a whole gets the rest of it from its containers. */
function withWholeResources(spec: JsonObject): JsonObject {
  return changed(spec, { resources: (resources) => withWholeRequests(withWholeLimits(resources, spec), spec) });
}

function withWholeLimits(resources: JsonObject, spec: JsonObject): JsonObject {
  const limits = fieldsOf(resources["limits"]);
  const requests = fieldsOf(resources["requests"]);
  if (Object.keys(limits).length + Object.keys(requests).length === 0) return resources;
  const missing = [...containerTotal(spec, "limits")].filter(
    ([name]) => name.startsWith(hugePagePrefix) && requests[name] === undefined && limits[name] === undefined,
  );
  if (missing.length === 0) return resources;
  return { ...resources, limits: { ...limits, ...textsOfAmounts(missing) } };
}

function withWholeRequests(resources: JsonObject, spec: JsonObject): JsonObject {
  const limits = fieldsOf(resources["limits"]);
  if (Object.keys(limits).length === 0) return resources;
  const known = fieldsOf(resources["requests"]);
  const asked = [...containerTotal(spec, "requests")].filter(([name]) => isOfPods(name) && isOvercommitted(name));
  const bounded = Object.entries(limits).filter(([name]) => isOfPods(name));
  const requests = { ...Object.fromEntries(bounded), ...textsOfAmounts(asked), ...known };
  return Object.keys(requests).length === 0 ? resources : { ...resources, requests };
}

function textsOfAmounts(amounts: readonly (readonly [string, { toString(): string }])[]): JsonObject {
  return Object.fromEntries(amounts.map(([name, amount]): [string, JsonValue] => [name, amount.toString()]));
}

/** The one address and the first of all of them are the same; the older field counts when they are not. */
function withAddresses(pod: JsonObject): JsonObject {
  const status = fieldsOf(pod["status"]);
  const address = textOf(status["podIP"]);
  const [first] = itemsOf(status["podIPs"]).map(({ ip }) => textOf(ip));
  if (address === (first ?? "")) return pod;
  if (address === "") return { ...pod, status: { ...status, podIP: first ?? "" } };
  return { ...pod, status: { ...status, podIPs: [{ ip: address }] } };
}
