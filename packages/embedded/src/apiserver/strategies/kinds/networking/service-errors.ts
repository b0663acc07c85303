import { dns1123LabelErrors, qualifiedNameErrors } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from "@stowage/machinery/structural";
import { fieldsOf, metadataOf, numberOf, specOf, textOf, textsOf } from "../../json-fields.ts";
import { labelErrors } from "../label-selectors.ts";
import { choiceErrors, subdomainErrors } from "../storage/field-checks.ts";
import { addressErrors, endpointAddressErrors, rangeErrors } from "./ip-addresses.ts";
import { portErrors, portOrNameErrors, protocols } from "./port-errors.ts";
import { serviceAddressErrors } from "./service-address-errors.ts";
import { type ServiceView, serviceView } from "./service-spec.ts";

const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const balancedOnly = "may only be used when `type` is 'LoadBalancer'";

/** What is wrong with a Service, its metadata apart. */
export function serviceErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const view = serviceView(object);
  const { spec, ports, isHeadless, type } = view;
  const isEmpty = ports.length === 0 && !isHeadless && type !== "ExternalName";
  return [
    ...topologyErrors(fieldsOf(metadataOf(object)["annotations"])),
    ...(isEmpty ? [required("spec.ports")] : []),
    ...typeErrors(view),
    ...ports.flatMap((port, index) => servicePortErrors(ports, port, index)),
    ...labelErrors(fieldsOf(spec["selector"]), "spec.selector"),
    ...affinityErrors(spec),
    ...serviceAddressErrors(object, old),
    ...externalAddressErrors(spec, old),
    ...(types.includes(type) ? [] : [notSupported("spec.type", type, types)]),
    ...nodePortErrors(view),
    ...sourceRangeErrors(object, old),
    ...balancerErrors(view),
    ...balancerClassErrors(object, undefined),
    ...trafficErrors(view),
  ];
}

const hints = "service.kubernetes.io/topology-aware-hints";
const topology = "service.kubernetes.io/topology-mode";

function topologyErrors(annotations: JsonObject): FieldError[] {
  const [mode, hint] = [annotations[topology], annotations[hints]];
  if (mode === undefined || hint === undefined || mode === hint) return [];
  const detail = `must match annotations[${hints}] when both are specified`;
  return [invalid(`metadata.annotations[${topology}]`, mode, detail)];
}

function typeErrors({ spec, type, isHeadless, addresses }: ServiceView): FieldError[] {
  if (isHeadless && (type === "LoadBalancer" || type === "NodePort")) {
    return [invalid("spec.clusterIPs[0]", "None", `may not be set to 'None' for ${type} services`)];
  }
  if (type !== "ExternalName") return [];
  const detail = "may not be set for ExternalName services";
  const name = textOf(spec["externalName"]).replace(/\.$/u, "");
  return [
    ...(addresses.length > 0 ? [forbidden("spec.clusterIPs", detail)] : []),
    ...(textsOf(spec["ipFamilies"]).length > 0 ? [forbidden("spec.ipFamilies", detail)] : []),
    ...(spec["ipFamilyPolicy"] === undefined ? [] : [forbidden("spec.ipFamilyPolicy", detail)]),
    ...(name === "" ? [required("spec.externalName")] : subdomainErrors(name, "spec.externalName")),
  ];
}

function servicePortErrors(ports: readonly JsonObject[], port: JsonObject, index: number): FieldError[] {
  const path = `spec.ports[${index}]`;
  const name = textOf(port["name"]);
  const isAgain = name !== "" && ports.findIndex((other) => other["name"] === name) < index;
  const application = port["appProtocol"];
  return [
    ...(name === "" && ports.length > 1 ? [required(`${path}.name`)] : []),
    ...(name === "" ? [] : dns1123LabelErrors(name).map((problem) => invalid(`${path}.name`, name, problem))),
    ...(isAgain ? [duplicate(`${path}.name`, name)] : []),
    ...portErrors(numberOf(port["port"]) ?? 0, `${path}.port`),
    ...choiceErrors(port["protocol"], `${path}.protocol`, protocols),
    ...portOrNameErrors(port["targetPort"], `${path}.targetPort`),
    ...(application === undefined
      ? []
      : qualifiedNameErrors(textOf(application)).map((problem) =>
          invalid(`${path}.appProtocol`, application, problem),
        )),
  ];
}

const mostAffinitySeconds = 86_400;

function affinityErrors(spec: JsonObject): FieldError[] {
  const affinity = spec["sessionAffinity"];
  if (affinity !== "ClientIP") return choiceErrors(affinity, "spec.sessionAffinity", ["ClientIP", "None"]);
  const seconds = numberOf(fieldsOf(fieldsOf(spec["sessionAffinityConfig"])["clientIP"])["timeoutSeconds"]) ?? 0;
  if (seconds > 0 && seconds <= mostAffinitySeconds) return [];
  const path = "spec.sessionAffinityConfig.clientIP.timeoutSeconds";
  return [invalid(path, seconds, `must be greater than 0 and less than ${mostAffinitySeconds}`)];
}

function externalAddressErrors(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const known = textsOf(specOf(old ?? {})["externalIPs"]);
  return textsOf(spec["externalIPs"]).flatMap((address, index) => {
    const path = `spec.externalIPs[${index}]`;
    const errors = addressErrors(address, path, known);
    return errors.length > 0 ? errors : endpointAddressErrors(address, path);
  });
}

function nodePortErrors({ ports, type }: ServiceView): FieldError[] {
  const taken = new Set<string>();
  const again = (key: string) => taken.size === taken.add(key).size;
  const used = ports.flatMap(({ nodePort }, index) => {
    const isWrong = type === "ClusterIP" && numberOf(nodePort) !== undefined;
    return isWrong ? [forbidden(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")] : [];
  });
  const twice = ports.flatMap(({ nodePort, protocol }, index) => {
    if (numberOf(nodePort) === undefined || !again(`node ${textOf(protocol)} ${Number(nodePort)}`)) return [];
    return [duplicate(`spec.ports[${index}].nodePort`, nodePort)];
  });
  const same = ports.flatMap(({ port = 0, protocol = "" }, index) =>
    again(`${textOf(protocol)} ${Number(port)}`) ? [duplicate(`spec.ports[${index}]`, shownPort(protocol, port))] : [],
  );
  return [...used, ...twice, ...same];
}

function shownPort(protocol: JsonValue, port: JsonValue): unknown {
  const shown = { Name: "", Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
  return new Map<string, unknown>(Object.entries(shown));
}

const rangesAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";

function sourceRangeErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const { spec, type } = serviceView(object);
  const ranges = textsOf(spec["loadBalancerSourceRanges"]);
  const path = "spec.LoadBalancerSourceRanges";
  if (ranges.length > 0) {
    const known = textsOf(specOf(old ?? {})["loadBalancerSourceRanges"]).map((range) => range.trim());
    return [
      ...(type === "LoadBalancer" ? [] : [forbidden(path, balancedOnly)]),
      ...ranges.flatMap((range, index) => rangeErrors(range.trim(), `${path}[${index}]`, known)),
    ];
  }
  const value = annotationOf(object);
  if (value === undefined) return [];
  const at = `metadata.annotations[${rangesAnnotation}]`;
  const isNew = old === undefined || annotationOf(old) !== value;
  const parts = textOf(value).trim() === "" || !isNew ? [] : textOf(value).split(",");
  return [
    ...(type === "LoadBalancer" ? [] : [forbidden(at, balancedOnly)]),
    ...parts.flatMap((range) => rangeErrors(range.trim(), at)),
  ];
}

function annotationOf(object: JsonObject): JsonValue | undefined {
  return fieldsOf(metadataOf(object)["annotations"])[rangesAnnotation];
}

function balancerErrors({ spec, type }: ServiceView): FieldError[] {
  const isSet = spec["allocateLoadBalancerNodePorts"] !== undefined;
  return isSet && type !== "LoadBalancer" ? [forbidden("spec.allocateLoadBalancerNodePorts", balancedOnly)] : [];
}

export function balancerClassErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const path = "spec.loadBalancerClass";
  const { loadBalancerClass: name, type } = specOf(object);
  const before = specOf(old ?? {});
  const isBalanced = type === "LoadBalancer";
  const isChanged = isBalanced && before["type"] === "LoadBalancer" && before["loadBalancerClass"] !== name;
  const changed = isChanged ? [invalid(path, name ?? null, "may not change once set")] : [];
  if (name === undefined) return changed;
  if (!isBalanced) return [...changed, forbidden(path, balancedOnly)];
  return [...changed, ...qualifiedNameErrors(textOf(name)).map((problem) => invalid(path, name, problem))];
}

const distributions = ["PreferClose", "PreferSameZone", "PreferSameNode"];

function trafficErrors({ spec, isReachedFromOutside, hasHealthPort }: ServiceView): FieldError[] {
  const policy = spec["externalTrafficPolicy"];
  const port = numberOf(spec["healthCheckNodePort"]);
  const at = "spec.healthCheckNodePort";
  const outside = isReachedFromOutside
    ? choiceErrors(policy, "spec.externalTrafficPolicy", ["Cluster", "Local"])
    : policy === undefined
      ? []
      : [invalid("spec.externalTrafficPolicy", policy, "may only be set for externally-accessible services")];
  const needless = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  const health =
    port === undefined
      ? hasHealthPort
        ? [required(at)]
        : []
      : hasHealthPort
        ? portErrors(port, at)
        : [invalid(at, port, needless)];
  return [
    ...outside,
    ...health,
    ...choiceErrors(spec["internalTrafficPolicy"], "spec.internalTrafficPolicy", ["Cluster", "Local"]),
    ...choiceErrors(spec["trafficDistribution"], "spec.trafficDistribution", distributions),
  ];
}
