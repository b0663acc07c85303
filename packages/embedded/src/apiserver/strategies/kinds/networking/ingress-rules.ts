import { dns1123LabelErrors, dns1123SubdomainErrors } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid, required } from "@stowage/machinery/structural";
import { fieldsOf, isFields, listOf, metadataOf, numberOf, specOf, textOf, textsOf } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { choiceErrors, subdomainErrors } from "../storage/field-checks.ts";
import { addressErrors } from "./ip-addresses.ts";
import { referenceErrors } from "./object-references.ts";
import { portErrors, portOrNameErrors } from "./port-errors.ts";

const classAnnotation = "kubernetes.io/ingress.class";

export const ingressRules: KindRules = {
  checks: {
    create: (object, metadata) => [...metadata, ...ingressErrors(specOf(object)), ...classMismatch(object)],
    update: (object, _old, { own, changes }) => [...changes, ...own, ...ingressErrors(specOf(object))],
    status: (object, old, { changes }) => [...changes, ...statusErrors(object, old)],
  },
  warnings: ingressWarnings,
};

function classMismatch(object: JsonObject): FieldError[] {
  const annotated = fieldsOf(metadataOf(object)["annotations"])[classAnnotation];
  const named = specOf(object)["ingressClassName"];
  if (annotated === undefined || named === undefined || annotated === named) return [];
  const detail = "must match `ingressClassName` when both are specified";
  return [invalid(`annotations.${classAnnotation}`, annotated, detail)];
}

function ingressErrors(spec: JsonObject): FieldError[] {
  const { rules, defaultBackend, tls, ingressClassName } = spec;
  const isEmpty = listOf(rules).length === 0 && defaultBackend === undefined;
  return [
    ...(isEmpty ? [invalid("spec", null, "either `defaultBackend` or `rules` must be specified")] : []),
    ...(isFields(defaultBackend) ? backendErrors(defaultBackend, "spec.defaultBackend") : []),
    ...listOf(rules).flatMap((rule, index) => ruleErrors(fieldsOf(rule), `spec.rules[${index}]`)),
    ...listOf(tls).flatMap((entry, index) => tlsErrors(fieldsOf(entry), `spec.tls[${index}]`)),
    ...(ingressClassName === undefined ? [] : subdomainErrors(textOf(ingressClassName), "spec.ingressClassName")),
  ];
}

const wildcard = /^\*\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/u;
const wildcardMessage =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case " +
  "alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for " +
  "validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

function hostErrors(host: string, path: string): FieldError[] {
  if (!host.includes("*")) return dns1123SubdomainErrors(host).map((problem) => invalid(path, host, problem));
  return wildcard.test(host) ? [] : [invalid(path, host, wildcardMessage)];
}

function ruleErrors(rule: JsonObject, path: string): FieldError[] {
  const host = textOf(rule["host"]);
  const isAddress = host !== "" && addressErrors(host, "").length === 0;
  return [
    ...(isAddress ? [invalid(`${path}.host`, host, "must be a DNS name, not an IP address")] : []),
    ...(host === "" ? [] : hostErrors(host, `${path}.host`)),
    ...(isFields(rule["http"]) ? pathsErrors(listOf(rule["http"]["paths"]), `${path}.http.paths`) : []),
  ];
}

function pathsErrors(paths: readonly JsonValue[], path: string): FieldError[] {
  if (paths.length === 0) return [required(path)];
  return paths.flatMap((entry, index) => pathErrors(fieldsOf(entry), `${path}[${index}]`));
}

const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];
const wrongParts = ["//", "/./", "/../", "%2f", "%2F"];
const wrongEnds = ["/..", "/."];

function pathErrors(entry: JsonObject, path: string): FieldError[] {
  const { pathType, backend } = entry;
  if ((pathType ?? undefined) === undefined) return [required(`${path}.pathType`, "pathType must be specified")];
  const place = textOf(entry["path"]);
  const at = `${path}.path`;
  const isExact = pathType === "Exact" || pathType === "Prefix";
  const isRelative = !place.startsWith("/") && (isExact || (pathTypes.includes(textOf(pathType)) && place !== ""));
  return [
    ...(isRelative ? [invalid(at, place, "must be an absolute path")] : []),
    ...wrongParts
      .filter((part) => isExact && place.includes(part))
      .map((part) => invalid(at, place, `must not contain '${part}'`)),
    ...wrongEnds
      .filter((end) => isExact && place.endsWith(end))
      .map((end) => invalid(at, place, `cannot end with '${end}'`)),
    ...choiceErrors(pathType, `${path}.pathType`, pathTypes),
    ...backendErrors(fieldsOf(backend), `${path}.backend`),
  ];
}

function backendErrors({ resource, service }: JsonObject, path: string): FieldError[] {
  if (resource !== undefined && service !== undefined) {
    return [invalid(path, "", "cannot set both resource and service backends")];
  }
  if (isFields(resource)) return referenceErrors(resource, `${path}.resource`);
  if (!isFields(service)) return [invalid(path, "", "resource or service backend is required")];
  const name = textOf(service["name"]);
  return [
    ...(name === "" ? [required(`${path}.service.name`)] : []),
    ...(name === "" ? [] : dns1123LabelErrors(name).map((problem) => invalid(`${path}.service.name`, name, problem))),
    ...backendPortErrors(fieldsOf(service["port"]), path),
  ];
}

function backendPortErrors(port: JsonObject, path: string): FieldError[] {
  const [name, number] = [textOf(port["name"]), numberOf(port["number"]) ?? 0];
  if (name !== "" && number !== 0) return [invalid(path, "", "cannot set both port name & port number")];
  if (name !== "") return portOrNameErrors(name, `${path}.service.port.name`);
  return number === 0
    ? [required(path, "port name or number is required")]
    : portErrors(number, `${path}.service.port.number`);
}

function tlsErrors({ hosts, secretName }: JsonObject, path: string): FieldError[] {
  const name = textOf(secretName);
  return [
    ...textsOf(hosts).flatMap((host, index) => hostErrors(host, `${path}.hosts[${index}]`)),
    ...(name === "" ? [] : subdomainErrors(name, `${path}.secretName`)),
  ];
}

function statusErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const known = balancersOf(old).map(({ ip }) => textOf(ip));
  return balancersOf(object).flatMap((entry, index) => {
    const path = `status.loadBalancer.ingress[${index}]`;
    const [address, host] = [textOf(entry["ip"]), textOf(entry["hostname"])];
    return [
      ...(address === "" ? [] : addressErrors(address, `${path}.ip`, known)),
      ...(host === "" ? [] : subdomainErrors(host, `${path}.hostname`)),
      ...(host !== "" && addressErrors(host, "").length === 0
        ? [invalid(`${path}.hostname`, host, "must be a DNS name, not an IP address")]
        : []),
    ];
  });
}

function balancersOf(object: JsonObject): JsonObject[] {
  return listOf(fieldsOf(fieldsOf(object["status"])["loadBalancer"])["ingress"]).map(fieldsOf);
}

function ingressWarnings(object: JsonObject, old: JsonObject | undefined): string[] {
  const isAnnotated = Object.hasOwn(fieldsOf(metadataOf(object)["annotations"]), classAnnotation);
  const advice = `annotation ${JSON.stringify(classAnnotation)} is deprecated, please use 'spec.ingressClassName' instead`;
  return old === undefined && isAnnotated ? [advice] : [];
}
