import { dns1123LabelErrors } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid } from "@stowage/machinery/structural";
import { fieldsOf, metadataOf, sameJson, specOf, textOf, textsOf, withFields } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { addressWarnings } from "./ip-addresses.ts";
import { serviceDefaults } from "./service-defaults.ts";
import { balancerClassErrors, serviceErrors } from "./service-errors.ts";
import { serviceView } from "./service-spec.ts";
import { serviceStatusErrors } from "./service-status-errors.ts";

export const serviceRules: KindRules = {
  nameProblems: (name, isPrefix) => dns1123LabelErrors(isPrefix && name.endsWith("-") ? `${name.slice(0, -1)}a` : name),
  defaults: serviceDefaults,
  prepareForCreate: (object) => ({ ...withoutInnerTraffic(object), status: { loadBalancer: {} } }),
  prepareForUpdate: withoutForeignFields,
  checks: {
    create: (object, metadata) => [...metadata, ...serviceErrors(object, undefined)],
    update: (object, old, { changes }) => [
      ...changes,
      ...addressChangeErrors(object, old),
      ...familyChangeErrors(object, old),
      ...balancerClassErrors(object, old),
      ...healthPortErrors(object, old),
      ...serviceErrors(object, old),
    ],
    status: (object, old, { changes }) => [...changes, ...serviceStatusErrors(object, old)],
  },
  warnings: serviceWarnings,
};

/** What the new type has no use for goes, where it stayed as it was. */
function withoutForeignFields(object: JsonObject, old: JsonObject): JsonObject {
  const [now, before] = [serviceView(object), serviceView(old)];
  const unless = (isLost: boolean, ...names: string[]) =>
    isLost
      ? Object.fromEntries(
          names.filter((name) => sameJson(now.spec[name], before.spec[name])).map((name) => [name, undefined]),
        )
      : {};
  const losesBalancer = before.type === "LoadBalancer" && now.type !== "LoadBalancer";
  const spec = withFields(now.spec, {
    ...unless(before.hasAddress && !now.hasAddress, "clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"),
    ...unless(before.hasHealthPort && !now.hasHealthPort, "healthCheckNodePort"),
    ...unless(losesBalancer, "allocateLoadBalancerNodePorts", "loadBalancerClass"),
    ...unless(before.isReachedFromOutside && !now.isReachedFromOutside, "externalTrafficPolicy"),
  });
  const status = now.type === "LoadBalancer" ? object["status"] : { ...fieldsOf(object["status"]), loadBalancer: {} };
  const known = new Set(before.ports.map(({ nodePort }) => nodePort));
  const losesPorts = before.hasNodePorts && !now.hasNodePorts;
  const isSame = now.ports.every(({ nodePort }) => nodePort === undefined || known.has(nodePort));
  const ports = now.ports.map((port) => withFields(port, { nodePort: undefined }));
  return withoutInnerTraffic(withFields(object, { spec: losesPorts && isSame ? { ...spec, ports } : spec, status }));
}

/** Nothing inside is reached by a name for something elsewhere, and so nobody sees how it would be. */
function withoutInnerTraffic(object: JsonObject): JsonObject {
  const spec = specOf(object);
  return spec["type"] === "ExternalName"
    ? { ...object, spec: withFields(spec, { internalTrafficPolicy: undefined }) }
    : object;
}

const settled = "may not change once set";

function addressChangeErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const [now, before] = [serviceView(object), serviceView(old)];
  if (!now.hasAddress || !before.hasAddress || (now.isHeadless && before.isHeadless)) return [];
  const { addresses } = now;
  const at = (index: number, detail: string) => invalid(`spec.clusterIPs[${index}]`, addresses, detail);
  if (addresses.length === before.addresses.length) {
    return before.addresses.flatMap((address, index) => (address === addresses[index] ? [] : [at(index, settled)]));
  }
  const isOther = addresses.length > 0 && before.addresses.length > 0 && addresses[0] !== before.addresses[0];
  return [
    ...(addresses.length === 0 ? [at(0, "primary clusterIP can not be unset")] : []),
    ...(isOther ? [at(0, settled)] : []),
    ...releaseErrors(now.spec, addresses.length < before.addresses.length && addresses.length === 1, "clusterIP"),
  ];
}

function releaseErrors(spec: JsonObject, isReleased: boolean, what: string): FieldError[] {
  const policy = spec["ipFamilyPolicy"] ?? null;
  if (!isReleased || policy === "SingleStack") return [];
  return [invalid("spec.ipFamilyPolicy", policy, `must be set to 'SingleStack' when releasing the secondary ${what}`)];
}

function familyChangeErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const [now, before] = [serviceView(object), serviceView(old)];
  if (!now.hasAddress || !before.hasAddress || now.isHeadless || before.isHeadless) return [];
  const [is, was] = [textsOf(now.spec["ipFamilies"]), textsOf(before.spec["ipFamilies"])];
  const path = "spec.ipFamilies[0]";
  if (is.length === was.length) {
    return was.filter((family, index) => family !== is[index]).map(() => invalid(path, is, settled));
  }
  const isOther = is.length > 0 && was.length > 0 && is[0] !== was[0];
  return [
    ...(isOther ? [invalid(path, now.addresses, settled)] : []),
    ...releaseErrors(now.spec, is.length < was.length && is.length === 1, "ipFamily"),
  ];
}

function healthPortErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const both = serviceView(object).hasHealthPort && serviceView(old).hasHealthPort;
  const name = "healthCheckNodePort";
  const isSame = specOf(object)[name] === specOf(old)[name];
  return both && !isSame ? [forbidden(`spec.${name}`, "field is immutable")] : [];
}

const hints = "service.kubernetes.io/topology-aware-hints";
const topology = "service.kubernetes.io/topology-mode";

function serviceWarnings(object: JsonObject): string[] {
  const { spec, type, addresses } = serviceView(object);
  const isHeadless = type === "ClusterIP" && spec["clusterIP"] === "None";
  const outside = textsOf(spec["externalIPs"]);
  const balancer = textOf(spec["loadBalancerIP"]);
  const isAnnotated = Object.hasOwn(fieldsOf(metadataOf(object)["annotations"]), hints);
  const isDeprecated = outside.length > 0 && !isHeadless && type !== "ExternalName";
  return [
    ...(isAnnotated ? [`annotation ${hints} is deprecated, please use ${topology} instead`] : []),
    ...addresses.flatMap((address, index) => addressWarnings(address, `spec.clusterIPs[${index}]`)),
    ...(isHeadless && balancer !== "" ? ["spec.loadBalancerIP is ignored for headless services"] : []),
    ...(isHeadless && outside.length > 0 ? ["spec.externalIPs is ignored for headless services"] : []),
    ...(isHeadless && spec["sessionAffinity"] !== "None"
      ? ["spec.SessionAffinity is ignored for headless services"]
      : []),
    ...outside.flatMap((address, index) => addressWarnings(address, `spec.externalIPs[${index}]`)),
    ...(isDeprecated ? ["spec.externalIPs is deprecated and may no longer be implemented in some clusters"] : []),
    ...(balancer === "" ? [] : addressWarnings(balancer, "spec.loadBalancerIP")),
    ...(type === "ExternalName" && outside.length > 0
      ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
      : []),
    ...(type !== "ExternalName" && textOf(spec["externalName"]) !== ""
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
    ...(spec["trafficDistribution"] === "PreferClose"
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ];
}
