import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid, notSupported, required } from "@stowage/machinery/structural";
import { fieldsOf, isFields, listOf, numberOf, specOf, textOf, textsOf, withFields } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { labelSelectorErrors } from "../label-selectors.ts";
import { containsRange, rangeErrors } from "./ip-addresses.ts";
import { portErrors, portOrNameErrors } from "./port-errors.ts";

const directions = [
  { rules: "ingress", peers: "from" },
  { rules: "egress", peers: "to" },
] as const;

const protocols = ["TCP", "UDP", "SCTP"];
const types = ["Ingress", "Egress"];

export const networkPolicyRules: KindRules = {
  defaults: (object) => ({ ...object, spec: policyDefaults(specOf(object)) }),
  checks: {
    create: (object, metadata) => [...metadata, ...policyErrors(specOf(object), undefined)],
    update: (object, old, { changes }) => [...changes, ...policyErrors(specOf(object), specOf(old))],
  },
};

function policyDefaults(spec: JsonObject): JsonObject {
  const rules = directions.map(({ rules: name }): [string, JsonValue | undefined] => [
    name,
    spec[name] === undefined ? undefined : listOf(spec[name]).map((rule) => withProtocols(fieldsOf(rule))),
  ]);
  const hasTypes = textsOf(spec["policyTypes"]).length > 0;
  const implied = listOf(spec["egress"]).length > 0 ? types : ["Ingress"];
  return withFields(spec, { ...Object.fromEntries(rules), policyTypes: hasTypes ? spec["policyTypes"] : implied });
}

function withProtocols(rule: JsonObject): JsonObject {
  if (rule["ports"] === undefined) return rule;
  return { ...rule, ports: listOf(rule["ports"]).map((port) => ({ protocol: "TCP", ...fieldsOf(port) })) };
}

interface Known {
  readonly allowsInvalidValues: boolean;
  readonly ranges: readonly string[];
}

function policyErrors(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const known: Known = {
    allowsInvalidValues: labelSelectorErrors(old?.["podSelector"], "").length > 0,
    ranges: old === undefined ? [] : rangesOf(old),
  };
  return [
    ...labelSelectorErrors(spec["podSelector"], "spec.podSelector", known),
    ...directions.flatMap(({ rules, peers }) =>
      listOf(spec[rules]).flatMap((rule, index) => ruleErrors(fieldsOf(rule), `spec.${rules}[${index}]`, peers, known)),
    ),
    ...typeErrors(textsOf(spec["policyTypes"])),
  ];
}

function rangesOf(spec: JsonObject): string[] {
  return directions.flatMap(({ rules, peers }) =>
    listOf(spec[rules])
      .flatMap((rule) => listOf(fieldsOf(rule)[peers]))
      .map((peer) => fieldsOf(fieldsOf(peer)["ipBlock"]))
      .flatMap(({ cidr, except }) => [textOf(cidr), ...textsOf(except)]),
  );
}

function typeErrors(all: readonly string[]): FieldError[] {
  const path = "spec.policyTypes";
  if (all.length > 2) return [invalid(path, all, "may not specify more than two policyTypes")];
  return all.flatMap((type, index) => (types.includes(type) ? [] : [notSupported(`${path}[${index}]`, type, types)]));
}

function ruleErrors(rule: JsonObject, path: string, peers: string, known: Known): FieldError[] {
  return [
    ...listOf(rule["ports"]).flatMap((port, index) => policyPortErrors(fieldsOf(port), `${path}.ports[${index}]`)),
    ...listOf(rule[peers]).flatMap((peer, index) => peerErrors(fieldsOf(peer), `${path}.${peers}[${index}]`, known)),
  ];
}

function policyPortErrors({ protocol, port, endPort }: JsonObject, path: string): FieldError[] {
  const isKnown = protocol === undefined || protocols.includes(textOf(protocol));
  const last = numberOf(endPort);
  const at = `${path}.endPort`;
  const first = isKnown ? [] : [notSupported(`${path}.protocol`, protocol, protocols)];
  if (port === undefined) {
    return last === undefined
      ? first
      : [...first, invalid(at, last, "may not be specified when `port` is not specified")];
  }
  if (typeof port !== "number") {
    const named = last === undefined ? [] : [invalid(at, last, "may not be specified when `port` is non-numeric")];
    return [...first, ...named, ...portOrNameErrors(port, `${path}.port`)];
  }
  return [
    ...first,
    ...portErrors(port, `${path}.port`),
    ...(last !== undefined && last < port ? [invalid(at, port, "must be greater than or equal to `port`")] : []),
    ...(last === undefined ? [] : portErrors(last, at)),
  ];
}

function peerErrors(peer: JsonObject, path: string, known: Known): FieldError[] {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  const count = [podSelector, namespaceSelector, ipBlock].filter((part) => part !== undefined).length;
  return [
    ...labelSelectorErrors(podSelector, `${path}.podSelector`, known),
    ...labelSelectorErrors(namespaceSelector, `${path}.namespaceSelector`, known),
    ...(isFields(ipBlock) ? blockErrors(ipBlock, `${path}.ipBlock`, known) : []),
    ...(count === 0 ? [required(path, "must specify a peer")] : []),
    ...(count > 1 && ipBlock !== undefined ? [forbidden(path, "may not specify both ipBlock and another peer")] : []),
  ];
}

function blockErrors(block: JsonObject, path: string, known: Known): FieldError[] {
  const range = textOf(block["cidr"]);
  if (range === "") return [required(`${path}.cidr`)];
  const errors = rangeErrors(range, `${path}.cidr`, known.ranges);
  const exceptions = textsOf(block["except"]).flatMap((exception, index) => {
    const at = `${path}.except[${index}]`;
    const own = rangeErrors(exception, at, known.ranges);
    const isPart = containsRange(range, exception);
    return isPart === false ? [...own, invalid(at, exception, "must be a strict subset of `cidr`")] : own;
  });
  return containsRange(range, range) === undefined ? errors : [...errors, ...exceptions];
}
