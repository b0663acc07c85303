import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid } from "@stowage/machinery/structural";
import { fieldsOf, listOf, specOf, textOf } from "../../json-fields.ts";
import { choiceErrors, subdomainErrors } from "../storage/field-checks.ts";
import { addressErrors } from "./ip-addresses.ts";

/** Of what a provider of load balancers writes. */
export function serviceStatusErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const path = "status.loadBalancer.ingress";
  const entries = ingressOf(object);
  const isBalanced = specOf(object)["type"] === "LoadBalancer";
  if (!isBalanced) {
    return entries.length === 0 ? [] : [forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const known = ingressOf(old).map(({ ip }) => textOf(ip));
  return entries.flatMap((entry, index) => ingressErrors(entry, `${path}[${index}]`, known));
}

function ingressOf(object: JsonObject): JsonObject[] {
  return listOf(fieldsOf(fieldsOf(object["status"])["loadBalancer"])["ingress"]).map(fieldsOf);
}

function ingressErrors({ ip, ipMode, hostname }: JsonObject, path: string, known: readonly string[]): FieldError[] {
  const [address, host] = [textOf(ip), textOf(hostname)];
  const mode =
    address === "" && ipMode !== undefined
      ? [forbidden(`${path}.ipMode`, "may not be specified when `ip` is not set")]
      : choiceErrors(ipMode, `${path}.ipMode`, ["Proxy", "VIP"]);
  return [
    ...(address === "" ? [] : addressErrors(address, `${path}.ip`, known)),
    ...mode,
    ...(host === "" ? [] : subdomainErrors(host, `${path}.hostname`)),
    ...(host !== "" && addressErrors(host, path).length === 0
      ? [invalid(`${path}.hostname`, host, "must be a DNS name, not an IP address")]
      : []),
  ];
}
