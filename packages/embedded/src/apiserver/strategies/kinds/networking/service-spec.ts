import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, listOf, specOf, textOf, textsOf } from "../../json-fields.ts";

/** What of a Service decides about the rest of it. */
export interface ServiceView {
  readonly spec: JsonObject;
  readonly type: string;
  readonly addresses: readonly string[];
  readonly ports: readonly JsonObject[];
  readonly isHeadless: boolean;
  /** Everything but a name for something elsewhere. */
  readonly hasAddress: boolean;
  readonly hasNodePorts: boolean;
  readonly isReachedFromOutside: boolean;
  readonly hasHealthPort: boolean;
}

export function serviceView(object: JsonObject): ServiceView {
  const spec = specOf(object);
  const type = textOf(spec["type"]);
  const addresses = textsOf(spec["clusterIPs"]);
  const hasNodePorts = type === "NodePort" || type === "LoadBalancer";
  return {
    spec,
    type,
    addresses,
    ports: listOf(spec["ports"]).map(fieldsOf),
    isHeadless: addresses.length === 1 && addresses[0] === "None",
    hasAddress: type !== "ExternalName",
    hasNodePorts,
    isReachedFromOutside: hasNodePorts || (type === "ClusterIP" && textsOf(spec["externalIPs"]).length > 0),
    hasHealthPort: type === "LoadBalancer" && spec["externalTrafficPolicy"] === "Local",
  };
}
