import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { fieldsOf, listOf, metadataOf, specOf } from "../../json-fields.ts";
import { withDefaults } from "../field-defaults.ts";
import { templateDefaults, templateOf } from "./pod-templates.ts";
import { withOwnLabels } from "./replication-controller-rules.ts";

export function jobDefaults(object: JsonObject): JsonObject {
  const spec = specOf(object);
  const { labels } = metadataOf(templateOf(spec));
  const labelled = labels === undefined ? object : withOwnLabels(object, fieldsOf(labels));
  const isCounted = spec["completions"] !== undefined || spec["parallelism"] !== undefined;
  return {
    ...labelled,
    spec: {
      ...withDefaults(spec, {
        ...(!isCounted && { completions: 1 }),
        parallelism: 1,
        backoffLimit: spec["backoffLimitPerIndex"] === undefined ? 6 : 2 ** 31 - 1,
        completionMode: "NonIndexed",
        suspend: false,
        podReplacementPolicy: spec["podFailurePolicy"] === undefined ? "TerminatingOrFailed" : "Failed",
        manualSelector: false,
      }),
      ...partDefaults(spec),
    },
  };
}

/** The Job in a CronJob gets what its parts get, and the rest when it is made. */
export function jobTemplateDefaults(template: JsonValue | undefined): JsonObject {
  const fields = fieldsOf(template);
  const spec = specOf(fields);
  return { ...fields, spec: { ...spec, ...partDefaults(spec) } };
}

function partDefaults(spec: JsonObject): JsonObject {
  const policy = spec["podFailurePolicy"];
  return {
    template: templateDefaults(spec["template"]),
    ...(policy !== undefined && { podFailurePolicy: failurePolicyDefaults(fieldsOf(policy)) }),
  };
}

function failurePolicyDefaults(policy: JsonObject): JsonObject {
  const rules = policy["rules"];
  if (!Array.isArray(rules)) return policy;
  return { ...policy, rules: rules.map((rule) => ruleDefaults(fieldsOf(rule))) };
}

function ruleDefaults(rule: JsonObject): JsonObject {
  const patterns = rule["onPodConditions"];
  if (patterns === undefined) return rule;
  const onPodConditions = listOf(patterns).map((pattern) => {
    const fields = fieldsOf(pattern);
    return fields["status"] === "" || fields["status"] === undefined ? { ...fields, status: "True" } : fields;
  });
  return { ...rule, onPodConditions };
}
