import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid } from "@stowage/machinery/structural";
import { fieldsOf, listOf, specOf, textOf, textsOf } from "../strategies/index.ts";
import { familyOf, serviceAddressErrors } from "../strategies/kinds/networking/index.ts";

/** What addresses and ports are taken from. */
export interface AddressPool {
  nextAddress(): string;
  nextPort(): number;
  /** Why that one cannot be had; undefined when it can. */
  addressProblem(address: string): string | undefined;
  portProblem(port: number): string | undefined;
}

/** What came of it: the Service, or why it cannot have what it asks for. */
export type Allocation = { readonly object: JsonObject } | { readonly errors: readonly FieldError[] };

type Spec = Record<string, JsonValue>;

/** A Service with the addresses and ports that it needs, given those that it had. */
export function desiredAllocation(object: JsonObject, old: JsonObject | undefined, pool: AddressPool): Allocation {
  const before: JsonObject | undefined = old && specOf(old);
  const spec: Spec = { ...specOf(object) };
  if (before !== undefined) keepAllocated(spec, before);
  normalizeAddresses(spec, before);
  // Each needs what the one before it has made of it.
  const steps = [
    () => policyErrors(spec, before),
    () => serviceAddressErrors({ ...object, spec }, old),
    () => familyErrors(spec),
    () => addressErrors(spec, before, pool),
    () => portErrors(spec, before, pool),
  ];
  for (const step of steps) {
    const errors = step();
    if (errors.length > 0) return { errors };
  }
  return { object: { ...object, spec } };
}

const isBare = (spec: JsonObject) =>
  spec["clusterIP"] === "None" && Object.keys(fieldsOf(spec["selector"])).length === 0;

function policyErrors(spec: Spec, before: JsonObject | undefined): FieldError[] {
  if (hasAddress(spec)) {
    spec["ipFamilyPolicy"] ??= before?.["ipFamilyPolicy"] ?? (isBare(spec) ? "RequireDualStack" : "SingleStack");
  }
  return [];
}

const hasAddress = (spec: JsonObject) => spec["type"] !== "ExternalName";
const hasNodePorts = (spec: JsonObject) => spec["type"] === "NodePort" || spec["type"] === "LoadBalancer";
const hasHealthPort = (spec: JsonObject) =>
  spec["type"] === "LoadBalancer" && spec["externalTrafficPolicy"] === "Local";
const addressesOf = (spec: JsonObject) => textsOf(spec["clusterIPs"]);
const portsOf = (spec: JsonObject) => listOf(spec["ports"]).map(fieldsOf);

/** Who writes a Service need not repeat what was given to it. */
function keepAllocated(spec: Spec, before: JsonObject): void {
  if (hasAddress(before) && hasAddress(spec)) {
    if (textOf(spec["clusterIP"]) === "") copy(spec, before, "clusterIP");
    if (addressesOf(spec).length === 0) copy(spec, before, "clusterIPs");
  }
  if (hasNodePorts(before) && hasNodePorts(spec)) {
    const asked = new Set(portsOf(spec).map(({ nodePort }) => nodePort));
    const known = new Map(portsOf(before).map(({ name = "", nodePort }) => [name, nodePort]));
    spec["ports"] = portsOf(spec).map((port) => {
      const nodePort = known.get(port["name"] ?? "");
      const isFree = port["nodePort"] === undefined && nodePort !== undefined && !asked.has(nodePort);
      return isFree ? { ...port, nodePort } : port;
    });
  }
  if (hasHealthPort(before) && hasHealthPort(spec) && spec["healthCheckNodePort"] === undefined) {
    copy(spec, before, "healthCheckNodePort");
  }
}

function copy(spec: Spec, from: JsonObject, name: string): void {
  if (from[name] !== undefined) spec[name] = from[name];
}

/** The one address and the list of them tell the same, whichever was written. */
function normalizeAddresses(spec: Spec, before: JsonObject | undefined): void {
  const address = textOf(spec["clusterIP"]);
  const all = addressesOf(spec);
  if (before === undefined) {
    if (address !== "" && all.length === 0) spec["clusterIPs"] = [address];
    return;
  }
  const known = textOf(before["clusterIP"]);
  const isSameList = JSON.stringify(all) === JSON.stringify(addressesOf(before));
  if (known === address || !isSameList) return;
  if (address === "") delete spec["clusterIPs"];
  else spec["clusterIPs"] = [address];
}

/** There is one family in this cluster. */
function familyErrors(spec: Spec): FieldError[] {
  if (!hasAddress(spec)) return [];
  const families = textsOf(spec["ipFamilies"]);
  const policy = textOf(spec["ipFamilyPolicy"]);
  const path = "spec.ipFamilyPolicy";
  const several = (what: string) =>
    invalid(path, policy, `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`);
  if (policy === "SingleStack") {
    const errors = [
      ...(addressesOf(spec).length === 2 ? [several("cluster IPs")] : []),
      ...(families.length === 2 ? [several("IP families")] : []),
    ];
    if (errors.length > 0) return errors;
  }
  const foreign = addressesOf(spec).flatMap((address, index) => {
    if (address === "None" || index < families.length || familyOf(address) === "IPv4") return [];
    return [invalid(`spec.clusterIPs[${index}]`, addressesOf(spec), "IPv6 is not configured on this cluster")];
  });
  if (foreign.length > 0) return foreign;
  if (isBare(spec)) {
    spec["ipFamilies"] = bareFamilies(families, policy);
    return [];
  }
  if (families.length === 0) spec["ipFamilies"] = ["IPv4"];
  return [
    ...(policy === "RequireDualStack"
      ? [invalid(path, policy, "this cluster is not configured for dual-stack services")]
      : []),
    ...families.flatMap((family, index) =>
      family === "IPv4" ? [] : [invalid(`spec.ipFamilies[${index}]`, family, "not configured on this cluster")],
    ),
  ];
}

/** Of what has neither an address nor Pods nobody knows the family. */
function bareFamilies(families: readonly string[], policy: string): string[] {
  const [first = "IPv4", ...rest] = families;
  if (rest.length > 0 || policy === "SingleStack") return [first, ...rest];
  return [first, first === "IPv4" ? "IPv6" : "IPv4"];
}

function addressErrors(spec: Spec, before: JsonObject | undefined, pool: AddressPool): FieldError[] {
  const [first] = addressesOf(spec);
  if (!hasAddress(spec) || first === "None") return [];
  const known = before !== undefined && hasAddress(before) ? addressesOf(before) : [];
  if (first === undefined) {
    const address = pool.nextAddress();
    spec["clusterIP"] = address;
    spec["clusterIPs"] = [address];
    return [];
  }
  const problem = known.includes(first) || known.length > 0 ? undefined : pool.addressProblem(first);
  if (problem === undefined) return [];
  return [invalid("spec.clusterIPs", addressesOf(spec), `failed to allocate IP ${first}: ${problem}`)];
}

function portErrors(spec: Spec, before: JsonObject | undefined, pool: AddressPool): FieldError[] {
  if (!hasNodePorts(spec)) return [];
  const known = new Set(before === undefined ? [] : portsOf(before).map(({ nodePort }) => nodePort));
  const allocates = spec["type"] === "NodePort" || spec["allocateLoadBalancerNodePorts"] === true;
  const errors: FieldError[] = [];
  // A port of several protocols has one port on the nodes.
  const given = new Map<JsonValue | undefined, JsonValue>();
  for (const { port, nodePort } of portsOf(spec)) if (nodePort !== undefined) given.set(port, nodePort);
  spec["ports"] = portsOf(spec).map((port, index) => {
    const asked = port["nodePort"];
    if (asked === undefined) {
      if (!allocates) return port;
      const nodePort = given.get(port["port"]) ?? pool.nextPort();
      given.set(port["port"], nodePort);
      return { ...port, nodePort };
    }
    const problem = known.has(asked) ? undefined : pool.portProblem(Number(asked));
    if (problem !== undefined) errors.push(invalid(`spec.ports[${index}].nodePort`, asked, problem));
    return port;
  });
  if (hasHealthPort(spec)) spec["healthCheckNodePort"] ??= pool.nextPort();
  return errors;
}
