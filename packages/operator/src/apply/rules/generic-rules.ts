import { isContained, isSameContent } from "../content.ts";
import type { CompareOptions, ContentChange, FieldsChange, KindRule } from "../kind-rule.ts";
import { type Fields, fieldsOf, groupOf, itemsOf, type LooseObject } from "../loose-object.ts";
import { specHashOf, withSpecHash } from "../spec-hash.ts";

/**
 * Any other kind. With a spec: written when the wanted one is another than before, or when something wanted is not there (or, where
 * the last generation is known, when anything was changed). Without one: every field that is wanted must be there.
 */
export const genericRule: KindRule = { prepare: prepareAny, compare: compareAny };

function prepareAny(required: LooseObject): LooseObject {
  return "spec" in required ? withSpecHash(required) : required;
}

function compareAny(
  existing: LooseObject,
  required: LooseObject,
  { lastGeneration }: CompareOptions,
): FieldsChange | undefined {
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, status: _status, ...wanted } = required;
  const how = { mayDropZeros: isBuiltIn(required) };
  const isUntouched =
    lastGeneration === undefined ? isContained(wanted, existing, how) : existing.metadata.generation === lastGeneration;
  const isSame = !("spec" in required) || specHashOf(existing) === specHashOf(required);
  return isUntouched && isSame ? undefined : { fields: wanted };
}

/** The whole spec is ours: what somebody adds to it is taken away again. */
export const podDisruptionBudgetRule: KindRule = {
  compare: (existing, required) => compareSpec(existing, fieldsOf(required, "spec")),
};

/** Likewise: an opening that somebody adds is closed. */
export const networkPolicyRule: KindRule = {
  compare: (existing, required) => compareSpec(existing, networkPolicyDefaults(fieldsOf(required, "spec"))),
};

function compareSpec(existing: LooseObject, spec: Fields): ContentChange {
  return isSameContent(existing["spec"], spec) ? undefined : { fields: { spec } };
}

/** What the API server puts in where nothing is said: a forgotten default would have it written at every look. */
function networkPolicyDefaults(spec: Fields): Fields {
  const policyTypes = spec["policyTypes"] ?? ["Ingress", ...(itemsOf(spec, "egress").length > 0 ? ["Egress"] : [])];
  const withProtocols = (name: string) =>
    itemsOf(spec, name).map((rule) => ({
      ...rule,
      ports: itemsOf(rule, "ports").map((port) => ({ protocol: "TCP", ...port })),
    }));
  return { ...spec, policyTypes, ingress: withProtocols("ingress"), egress: withProtocols("egress") };
}

/** As any other kind, but for the bundle of a conversion webhook, which is injected. */
export const customResourceDefinitionRule: KindRule = {
  prepare: prepareAny,
  compare(existing, required, options) {
    const change = compareAny(existing, required, options);
    if (change === undefined) return undefined;
    const spec = fieldsOf(change.fields, "spec");
    const conversion = fieldsOf(spec, "conversion");
    const webhook = fieldsOf(conversion, "webhook");
    const there = fieldsOf(fieldsOf(fieldsOf(existing, "spec"), "conversion"), "webhook");
    if (!("clientConfig" in webhook)) return change;
    const kept = { ...webhook, clientConfig: withBundle(webhook, there) };
    return { fields: { ...change.fields, spec: { ...spec, conversion: { ...conversion, webhook: kept } } } };
  },
};

/** Webhooks, each with the bundle that was injected. */
export const webhookConfigurationRule: KindRule = {
  compare(existing, required) {
    const there = itemsOf(existing, "webhooks");
    const wanted = itemsOf(required, "webhooks");
    if (isContained(wanted, there, { mayDropZeros: true }) && there.length === wanted.length) return undefined;
    const webhooks = wanted.map((webhook) => {
      const same = there.find(({ name }) => name === webhook["name"]) ?? {};
      return { ...webhook, clientConfig: withBundle(webhook, same) };
    });
    return { fields: { webhooks } };
  },
};

function withBundle(wanted: Fields, there: Fields): Fields {
  const { caBundle } = fieldsOf(there, "clientConfig");
  return caBundle === undefined ? fieldsOf(wanted, "clientConfig") : { caBundle, ...fieldsOf(wanted, "clientConfig") };
}

/** Groups of Kubernetes itself have no dot, or end in k8s.io; among the latter are a few CRDs, for which it does no harm. */
function isBuiltIn(object: LooseObject): boolean {
  const group = groupOf(object);
  return !group.includes(".") || group.endsWith(".k8s.io");
}
