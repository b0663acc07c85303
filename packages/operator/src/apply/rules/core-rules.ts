import { StowageError } from "@stowage/machinery";
import { isContained, isSameContent } from "../content.ts";
import type { KindRule } from "../kind-rule.ts";
import { fieldsOf, itemsOf, type LooseObject } from "../loose-object.ts";
import { specHashOf, withSpecHash } from "../spec-hash.ts";

/** Only the metadata is ours: the rest of a Namespace belongs to the cluster. */
export const namespaceRule: KindRule = { compare: () => undefined };

/** Others add the names of Secrets to it. */
export const serviceAccountRule: KindRule = {
  compare(existing, required) {
    const { automountServiceAccountToken } = required;
    const isSame =
      automountServiceAccountToken === undefined ||
      existing["automountServiceAccountToken"] === automountServiceAccountToken;
    return isSame ? undefined : { fields: { automountServiceAccountToken } };
  },
};

/** Keys that are filled by others where the ConfigMap asks for it. */
function injectedKeys({ metadata }: LooseObject): string[] {
  return [
    ...(metadata.labels?.["config.openshift.io/inject-trusted-cabundle"] === "true" ? ["ca-bundle.crt"] : []),
    ...(metadata.annotations?.["service.beta.openshift.io/inject-cabundle"] === "true" ? ["service-ca.crt"] : []),
  ];
}

/** The data are wholly ours, but for a certificate bundle that is injected. */
export const configMapRule: KindRule = {
  compare(existing, required) {
    const there = fieldsOf(existing, "data");
    const data = { ...fieldsOf(required, "data") };
    for (const key of injectedKeys(required)) if (!(key in data) && key in there) data[key] = there[key];
    const binaryData = fieldsOf(required, "binaryData");
    const changed = [
      ...changedKeys(there, data).map((key) => `data.${key}`),
      ...changedKeys(fieldsOf(existing, "binaryData"), binaryData).map((key) => `binaryData.${key}`),
    ];
    if (changed.length === 0) return undefined;
    if (existing["immutable"] === true) return { recreate: { ...required, data, binaryData } };
    return { fields: { data, binaryData }, details: `cause by changes in ${changed.toSorted().join(",")}` };
  },
};

const opaque = "Opaque";

/** As a ConfigMap; its type cannot be changed, and a token is filled in by others. */
export const secretRule: KindRule = {
  prepare(required) {
    const { stringData: _stringData, ...rest } = required;
    const data = { ...fieldsOf(required, "data") };
    for (const [key, value] of Object.entries(fieldsOf(required, "stringData"))) {
      const encoded = Buffer.from(String(value)).toString("base64");
      if (key in data && data[key] !== encoded) {
        const which = `Secret ${required.metadata.namespace}/${required.metadata.name}`;
        throw new StowageError("OBJECT_REFUSED", `${which} has ${key} in data and, with another value, in stringData`);
      }
      data[key] = encoded;
    }
    return { ...rest, type: required["type"] || opaque, data };
  },
  compare(existing, required) {
    const { type } = required;
    const there = fieldsOf(existing, "data");
    const wanted = fieldsOf(required, "data");
    const data = type === "kubernetes.io/service-account-token" ? { ...there, ...wanted } : wanted;
    const isSameType = existing["type"] === type;
    if (isSameType && changedKeys(there, data).length === 0) return undefined;
    return isSameType && existing["immutable"] !== true ? { fields: { data } } : { recreate: { ...required, data } };
  },
};

function changedKeys(existing: Readonly<Record<string, unknown>>, wanted: Readonly<Record<string, unknown>>): string[] {
  return [...new Set([...Object.keys(existing), ...Object.keys(wanted)])].filter(
    (key) => existing[key] !== wanted[key],
  );
}

/** What the cluster allots to a Service and cannot be taken away by a rewrite that does not mention it. */
const allotted = ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "healthCheckNodePort"];

export const serviceRule: KindRule = {
  prepare: withSpecHash,
  compare(existing, required) {
    const there = fieldsOf(existing, "spec");
    const wanted = fieldsOf(required, "spec");
    const isAsWanted =
      specHashOf(existing) === specHashOf(required) &&
      isSameContent(there["selector"], wanted["selector"]) &&
      (there["type"] ?? "ClusterIP") === (wanted["type"] || "ClusterIP") &&
      isContained(wanted, there, { mayDropZeros: true });
    if (isAsWanted) return undefined;
    const cannotChange = wanted["clusterIP"] !== undefined && wanted["clusterIP"] !== there["clusterIP"];
    if (cannotChange) return { recreate: required };
    const kept = Object.fromEntries(allotted.filter((name) => name in there).map((name) => [name, there[name]]));
    const spec = { ...kept, ...wanted, ports: portsWithNodePorts(itemsOf(wanted, "ports"), itemsOf(there, "ports")) };
    return { fields: { spec } };
  },
};

function portsWithNodePorts(
  wanted: readonly Record<string, unknown>[],
  there: readonly Record<string, unknown>[],
): Record<string, unknown>[] {
  return wanted.map((port) => {
    const same = there.find((each) => each["port"] === port["port"] && each["name"] === port["name"]);
    return same?.["nodePort"] === undefined ? port : { nodePort: same["nodePort"], ...port };
  });
}
