import { formatTime } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { duplicate, type FieldError, invalid, notSupported, required } from "@stowage/machinery/structural";
import { fieldsOf, listOf, numberOf, specOf, textOf, textsOf, withFields } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";

/** The signature of what is asked for is not looked at: nobody signs anything here. */
export const certificateRequestRules: KindRules = {
  nameProblems: () => [],
  prepareForUpdate: (object, old) => withFields(object, { spec: old["spec"] }),
  prepareForStatusUpdate: withTimes,
  errors: (object) => {
    const { usages, expirationSeconds } = specOf(object);
    return [...usageErrors(textsOf(usages)), ...expirationErrors(numberOf(expirationSeconds))];
  },
};

const knownUsages = [
  "any",
  "cert sign",
  "client auth",
  "code signing",
  "content commitment",
  "crl sign",
  "data encipherment",
  "decipher only",
  "digital signature",
  "email protection",
  "encipher only",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "key agreement",
  "key encipherment",
  "microsoft sgc",
  "netscape sgc",
  "ocsp signing",
  "s/mime",
  "server auth",
  "signing",
  "timestamping",
];

function usageErrors(usages: readonly string[]): FieldError[] {
  if (usages.length === 0) return [required("spec.usages")];
  const at = (index: number) => `spec.usages[${index}]`;
  return [
    ...usages.flatMap((usage, index) =>
      knownUsages.includes(usage) ? [] : [notSupported(at(index), usage, knownUsages)],
    ),
    ...usages.flatMap((usage, index) => (usages.indexOf(usage) < index ? [duplicate(at(index), usage)] : [])),
  ];
}

function expirationErrors(seconds: number | undefined): FieldError[] {
  if (seconds === undefined || seconds >= 600) return [];
  const rule = "may not specify a duration less than 600 seconds (10 minutes)";
  return [invalid("spec.expirationSeconds", seconds, rule)];
}

/** Of conditions that do not say since when they hold. */
function withTimes(object: JsonObject, old: JsonObject, nowMs: number): JsonObject {
  const known = conditionsOf(old);
  const now = formatTime(nowMs);
  const conditions = conditionsOf(object).map((condition) => {
    const same = known.find(({ type, status }) => type === condition["type"] && status === condition["status"]);
    const { lastUpdateTime, lastTransitionTime } = condition;
    return {
      ...condition,
      lastUpdateTime: textOf(lastUpdateTime) || now,
      lastTransitionTime: textOf(lastTransitionTime) || textOf(same?.["lastTransitionTime"]) || now,
    };
  });
  if (conditions.length === 0) return object;
  return { ...object, status: { ...fieldsOf(object["status"]), conditions } };
}

function conditionsOf(object: JsonObject): JsonObject[] {
  return listOf(fieldsOf(object["status"])["conditions"]).map(fieldsOf);
}
