import { dns1123SubdomainErrors, labelValueErrors, qualifiedNameErrors } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { duplicate, type FieldError, invalid, notSupported, required, tooMany } from "@stowage/machinery/structural";
import { fieldsOf, isFields, listOf, numberOf, sameJson, textOf, textsOf } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { immutableField } from "../immutability.ts";
import { labelErrors as topologyErrors } from "../label-selectors.ts";
import { choiceErrors, labelErrors, subdomainErrors } from "../storage/field-checks.ts";
import { addressErrors, endpointAddressErrors, familyOf } from "./ip-addresses.ts";
import { portErrors, protocols } from "./port-errors.ts";

export const endpointsRules: KindRules = {
  defaults: (object) =>
    object["subsets"] === undefined
      ? object
      : { ...object, subsets: listOf(object["subsets"]).map((subset) => withProtocols(fieldsOf(subset))) },
  checks: {
    create: (object, metadata) => [...metadata, ...subsetsErrors(object)],
    update: (object, old, { own, changes }) => [
      ...changes,
      ...own,
      ...(sameJson(object["subsets"], old["subsets"]) ? [] : subsetsErrors(object)),
    ],
  },
};

function withProtocols(subset: JsonObject): JsonObject {
  if (subset["ports"] === undefined) return subset;
  return { ...subset, ports: listOf(subset["ports"]).map((port) => ({ protocol: "TCP", ...fieldsOf(port) })) };
}

function subsetsErrors(object: JsonObject): FieldError[] {
  return listOf(object["subsets"]).flatMap((item, index) => {
    const path = `subsets[${index}]`;
    const subset = fieldsOf(item);
    const ports = listOf(subset["ports"]);
    const isEmpty = listOf(subset["addresses"]).length + listOf(subset["notReadyAddresses"]).length === 0;
    return [
      ...(isEmpty ? [required(path, "must specify `addresses` or `notReadyAddresses`")] : []),
      ...["addresses", "notReadyAddresses"].flatMap((name) =>
        listOf(subset[name]).flatMap((address, place) =>
          subsetAddressErrors(fieldsOf(address), `${path}.${name}[${place}]`),
        ),
      ),
      ...ports.flatMap((port, place) =>
        endpointPortErrors(fieldsOf(port), `${path}.ports[${place}]`, ports.length > 1),
      ),
    ];
  });
}

function subsetAddressErrors({ ip, hostname, nodeName }: JsonObject, path: string): FieldError[] {
  const [address, host] = [textOf(ip), textOf(hostname)];
  const errors = addressErrors(address, `${path}.ip`);
  return [
    ...errors,
    ...(host === "" ? [] : labelErrors(host, `${path}.hostname`)),
    ...(nodeName === undefined ? [] : subdomainErrors(textOf(nodeName), `${path}.nodeName`)),
    ...(errors.length > 0
      ? [invalid(`${path}.ip`, address, "must be a valid IP address")]
      : endpointAddressErrors(address, `${path}.ip`)),
  ];
}

function endpointPortErrors(port: JsonObject, path: string, needsName: boolean): FieldError[] {
  const name = textOf(port["name"]);
  return [
    ...(name === "" ? (needsName ? [required(`${path}.name`)] : []) : labelErrors(name, `${path}.name`)),
    ...portErrors(numberOf(port["port"]) ?? 0, `${path}.port`),
    ...choiceErrors(port["protocol"], `${path}.protocol`, protocols),
    ...applicationErrors(port["appProtocol"], `${path}.appProtocol`),
  ];
}

function applicationErrors(name: JsonValue | undefined, path: string): FieldError[] {
  return name === undefined ? [] : qualifiedNameErrors(textOf(name)).map((problem) => invalid(path, name, problem));
}

export const endpointSliceRules: KindRules = {
  defaults: (object) =>
    Array.isArray(object["ports"])
      ? { ...object, ports: object["ports"].map((port) => ({ name: "", protocol: "TCP", ...fieldsOf(port) })) }
      : object,
  checks: {
    create: (object, metadata) => [...metadata, ...sliceErrors(object, undefined)],
    update: (object, old, { own }) => [
      ...own,
      ...sliceErrors(object, old),
      ...immutableField("addressType", object["addressType"], old["addressType"]),
    ],
  },
  warnings: (object, old) =>
    old === undefined && object["addressType"] === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : [],
};

const addressTypes = ["FQDN", "IPv4", "IPv6"];

function sliceErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const type = textOf(object["addressType"]);
  const isAsItWas = old !== undefined && sameJson(object["endpoints"], old["endpoints"]);
  return [
    ...(type === "" ? [required("addressType")] : []),
    ...(type === "" || addressTypes.includes(type) ? [] : [notSupported("addressType", type, addressTypes)]),
    ...slicePortErrors(listOf(object["ports"]).map(fieldsOf)),
    ...(isAsItWas ? [] : endpointsErrors(listOf(object["endpoints"]), type)),
  ];
}

function slicePortErrors(ports: readonly JsonObject[]): FieldError[] {
  return ports.flatMap((port, index) => {
    const path = `ports[${index}]`;
    const name = textOf(port["name"]);
    const isAgain = ports.findIndex((other) => textOf(other["name"]) === name) < index;
    return [
      ...(name === "" ? [] : labelErrors(name, `${path}.name`)),
      ...(isAgain ? [duplicate(`${path}.name`, name)] : []),
      ...choiceErrors(port["protocol"], `${path}.protocol`, protocols),
      ...applicationErrors(port["appProtocol"], `${path}.appProtocol`),
    ];
  });
}

const mostEndpoints = 1000;
const mostAddresses = 100;
const mostTopologyLabels = 16;

function endpointsErrors(endpoints: readonly JsonValue[], type: string): FieldError[] {
  if (endpoints.length > mostEndpoints) return [tooMany("endpoints", endpoints.length, mostEndpoints)];
  return endpoints.flatMap((endpoint, index) => endpointErrors(fieldsOf(endpoint), `endpoints[${index}]`, type));
}

function endpointErrors(endpoint: JsonObject, path: string, type: string): FieldError[] {
  const addresses = textsOf(endpoint["addresses"]);
  const at = `${path}.addresses`;
  const { nodeName, hostname, hints } = endpoint;
  const topology = fieldsOf(endpoint["deprecatedTopology"]);
  const labels = Object.keys(topology).length;
  return [
    ...(addresses.length === 0 ? [required(at, "must contain at least 1 address")] : []),
    ...(addresses.length > mostAddresses ? [tooMany(at, addresses.length, mostAddresses)] : []),
    ...addresses.flatMap((address, index) => sliceAddressErrors(address, at, { index, type })),
    ...(nodeName === undefined ? [] : subdomainErrors(textOf(nodeName), `${path}.nodeName`)),
    ...(labels > mostTopologyLabels ? [tooMany(`${path}.deprecatedTopology`, labels, mostTopologyLabels)] : []),
    ...topologyErrors(topology, `${path}.deprecatedTopology`),
    ...(hostname === undefined ? [] : labelErrors(textOf(hostname), `${path}.hostname`)),
    ...(isFields(hints) ? hintErrors(hints, `${path}.hints`) : []),
  ];
}

interface Placed {
  readonly index: number;
  readonly type: string;
}

function sliceAddressErrors(address: string, path: string, { index, type }: Placed): FieldError[] {
  const at = `${path}[${index}]`;
  if (type === "FQDN") return qualifiedDomainErrors(address, at);
  if (!addressTypes.includes(type)) return [];
  const errors = addressErrors(address, at);
  if (errors.length > 0) return errors;
  return [
    ...(familyOf(address) === type ? [] : [invalid(path, address, `must be an ${type} address`)]),
    ...endpointAddressErrors(address, at),
  ];
}

function qualifiedDomainErrors(name: string, path: string): FieldError[] {
  if (name === "") return [required(path)];
  const bare = name.replace(/\.$/u, "");
  const problems = dns1123SubdomainErrors(bare);
  if (problems.length > 0) return [invalid(path, bare, problems.join(","))];
  return bare.includes(".")
    ? []
    : [invalid(path, bare, "should be a domain with at least two segments separated by dots")];
}

const mostHints = 8;

function hintErrors(hints: JsonObject, path: string): FieldError[] {
  const lists = [
    { name: "forZones", problems: labelValueErrors },
    { name: "forNodes", problems: dns1123SubdomainErrors },
  ];
  return lists.flatMap(({ name, problems }) => {
    const at = `${path}.${name}`;
    const names = listOf(hints[name]).map((hint) => textOf(fieldsOf(hint)["name"]));
    if (names.length > mostHints) return [tooMany(at, names.length, mostHints)];
    return names.flatMap((hint, index) => [
      ...(names.indexOf(hint) < index ? [duplicate(`${at}[${index}].name`, hint)] : []),
      ...problems(hint).map((problem) => invalid(`${at}[${index}].name`, hint, problem)),
    ]);
  });
}
