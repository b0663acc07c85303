import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid, required, tooLong } from "@stowage/machinery/structural";
import { fieldsOf, isFields, textOf, textsOf } from "../../../json-fields.ts";
import { addressErrors } from "../../networking/ip-addresses.ts";
import { itemErrors, listedErrors, problemErrors, when } from "./field-checks.ts";
import { searchDomainProblems, subdomainNameErrors } from "./value-checks.ts";

/** What a resolver of Linux can hold. */
const most = { nameservers: 3, searches: 32, searchBytes: 2048 };

export function resolverErrors(spec: JsonObject, path: string): FieldError[] {
  const config = spec["dnsConfig"];
  if (spec["dnsPolicy"] === "None") {
    if (!isFields(config)) return [required(path, "must provide `dnsConfig` when `dnsPolicy` is None")];
    if (textsOf(config["nameservers"]).length === 0) {
      const detail = "must provide at least one DNS nameserver when `dnsPolicy` is None";
      return [required(`${path}.nameservers`, detail)];
    }
  }
  return isFields(config) ? configErrors(config, path) : [];
}

function configErrors(config: JsonObject, path: string): FieldError[] {
  const nameservers = textsOf(config["nameservers"]);
  const searches = textsOf(config["searches"]);
  const at = `${path}.searches`;
  const isLong = Buffer.byteLength(searches.join(" ")) > most.searchBytes;
  const many = `must not have more than ${most.searches} search paths`;
  const long = `must not have more than ${most.searchBytes} characters (including spaces) in the search list`;
  return [
    ...when(
      nameservers.length > most.nameservers,
      invalid(`${path}.nameservers`, nameservers, `must not have more than ${most.nameservers} nameservers`),
    ),
    ...nameservers.flatMap((address, index) => addressErrors(address, `${path}.nameservers[${index}]`)),
    ...when(searches.length > most.searches, invalid(at, searches, many)),
    ...when(isLong, invalid(at, searches, long)),
    ...searches.flatMap((domain, index) => searchErrors(domain, `${at}[${index}]`)),
    ...itemErrors(config["options"], `${path}.options`, ({ name }, option) =>
      when(textOf(name) === "", required(option, "must not be empty")),
    ),
  ];
}

function searchErrors(domain: string, path: string): FieldError[] {
  if (domain === ".") return [];
  const plain = domain.endsWith(".") ? domain.slice(0, -1) : domain;
  return problemErrors(path, plain, searchDomainProblems(plain));
}

export function dnsPolicyErrors(policy: JsonValue | undefined, path: string): FieldError[] {
  if (textOf(policy) === "") return [required(path)];
  return listedErrors(path, policy, ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"]);
}

export function hostAliasErrors(value: JsonValue | undefined, path: string): FieldError[] {
  return itemErrors(value, path, (alias, at) => [
    ...addressErrors(textOf(alias["ip"]), `${at}.ip`),
    ...textsOf(alias["hostnames"]).flatMap((name, index) => subdomainNameErrors(`${at}.hostnames[${index}]`, name)),
  ]);
}

export function hostNameErrors(spec: JsonObject, path: string): FieldError[] {
  const name = spec["hostnameOverride"];
  const at = `${path}.hostnameOverride`;
  if (name === undefined) return [];
  return [
    ...when(spec["setHostnameAsFQDN"] === true, forbidden(at, "may not be specified when setHostnameAsFQDN is true")),
    ...when(spec["hostNetwork"] === true, forbidden(at, "may not be specified when hostNetwork is true")),
    ...when(Buffer.byteLength(textOf(name)) > 64, tooLong(at, 64)),
    ...subdomainNameErrors(at, name),
  ];
}

/** Users of its own and namespaces of the host do not go together. */
export function hostUserErrors(spec: JsonObject, path: string): FieldError[] {
  if (spec["hostUsers"] !== false) return [];
  const detail = "when `hostUsers` is false";
  const lists = ["initContainers", "containers", "ephemeralContainers"];
  return [
    ...when(spec["hostNetwork"] === true, forbidden(`${path}.hostNetwork`, detail)),
    ...when(spec["hostPID"] === true, forbidden(`${path}.HostPID`, detail)),
    ...when(spec["hostIPC"] === true, forbidden(`${path}.HostIPC`, detail)),
    ...lists.flatMap((list) =>
      itemErrors(spec[list], `${path}.${list}`, (container, at) =>
        when(fieldsOf(container)["volumeDevices"] !== undefined, forbidden(`${at}.volumeDevices`, detail)),
      ),
    ),
  ];
}
