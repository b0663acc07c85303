import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { fieldsOf, listOf, specOf, textOf, withFields } from "../../json-fields.ts";
import { serviceView } from "./service-spec.ts";

const longestAffinitySeconds = 10_800;

export function serviceDefaults(object: JsonObject): JsonObject {
  const spec: JsonObject = { sessionAffinity: "None", type: "ClusterIP", ...specOf(object) };
  const { isReachedFromOutside, hasAddress, type } = serviceView({ spec });
  const isBalanced = type === "LoadBalancer";
  const completed = withFields(spec, {
    sessionAffinityConfig: affinityOf(spec),
    ...(spec["ports"] !== undefined && { ports: listOf(spec["ports"]).map((port) => portDefaults(fieldsOf(port))) }),
    externalTrafficPolicy: spec["externalTrafficPolicy"] ?? (isReachedFromOutside ? "Cluster" : undefined),
    internalTrafficPolicy: spec["internalTrafficPolicy"] ?? (hasAddress ? "Cluster" : undefined),
    allocateLoadBalancerNodePorts: spec["allocateLoadBalancerNodePorts"] ?? (isBalanced ? true : undefined),
  });
  return { ...object, spec: completed, status: statusDefaults(fieldsOf(object["status"]), isBalanced) };
}

function affinityOf(spec: JsonObject): JsonValue | undefined {
  if (spec["sessionAffinity"] === "None") return undefined;
  const config = spec["sessionAffinityConfig"];
  const isSet = fieldsOf(fieldsOf(config)["clientIP"])["timeoutSeconds"] !== undefined;
  if (spec["sessionAffinity"] !== "ClientIP" || isSet) return config;
  return { clientIP: { timeoutSeconds: longestAffinitySeconds } };
}

function portDefaults(port: JsonObject): JsonObject {
  const target = port["targetPort"] ?? 0;
  return { protocol: "TCP", ...port, targetPort: target === 0 || target === "" ? (port["port"] ?? 0) : target };
}

function statusDefaults(status: JsonObject, isBalanced: boolean): JsonObject {
  const balancer = fieldsOf(status["loadBalancer"]);
  if (balancer["ingress"] === undefined) return { ...status, loadBalancer: balancer };
  const ingress = listOf(balancer["ingress"]).map((item) => {
    const entry = fieldsOf(item);
    return isBalanced && textOf(entry["ip"]) !== "" ? { ipMode: "VIP", ...entry } : entry;
  });
  return { ...status, loadBalancer: { ...balancer, ingress } };
}
