import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type Changes, fieldsOf, isFields, listOf, specOf, withFields } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { withDefaults } from "../field-defaults.ts";

export const policyRules: KindRules = {
  defaults: (object) => ({
    ...object,
    spec: withMatch(withDefaults(specOf(object), { failurePolicy: "Fail" }), "matchConstraints"),
  }),
};

export const policyBindingRules: KindRules = {
  defaults: (object) => ({ ...object, spec: withMatch(specOf(object), "matchResources") }),
};

const webhookDefaults: Changes = {
  failurePolicy: "Fail",
  matchPolicy: "Equivalent",
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

export const validatingWebhookRules: KindRules = {
  defaults: (object) => withWebhooks(object, webhookDefaults),
};

export const mutatingWebhookRules: KindRules = {
  defaults: (object) => withWebhooks(object, { ...webhookDefaults, reinvocationPolicy: "Never" }),
};

/** What is looked at; none of it when nothing says so. */
function withMatch(spec: JsonObject, name: string): JsonObject {
  const match = spec[name];
  if (!isFields(match)) return spec;
  const whole = withDefaults(match, { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} });
  return { ...spec, [name]: withScopes(whole, ["resourceRules", "excludeResourceRules"]) };
}

function withWebhooks(object: JsonObject, defaults: Changes): JsonObject {
  if (!Array.isArray(object["webhooks"])) return object;
  const webhooks = listOf(object["webhooks"]).map((webhook) => {
    const whole = withScopes(withDefaults(fieldsOf(webhook), defaults), ["rules"]);
    return withPort(whole);
  });
  return { ...object, webhooks };
}

function withPort(webhook: JsonObject): JsonObject {
  const client = fieldsOf(webhook["clientConfig"]);
  if (!isFields(client["service"])) return webhook;
  return { ...webhook, clientConfig: { ...client, service: withDefaults(client["service"], { port: 443 }) } };
}

function withScopes(object: JsonObject, names: readonly string[]): JsonObject {
  const scoped = names
    .filter((name) => Array.isArray(object[name]))
    .map((name): [string, JsonValue] => [
      name,
      listOf(object[name]).map((rule) => withDefaults(fieldsOf(rule), { scope: "*" })),
    ]);
  return withFields(object, Object.fromEntries(scoped));
}
