import { randomUUID } from "node:crypto";
import { Quantity, qualifiedNameErrors } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { duplicate, type FieldError, forbidden, invalid, required } from "@stowage/machinery/structural";
import { fieldsOf, listOf, metadataOf, specOf, textOf } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { amountOf, roundedAmounts } from "../amounts.ts";
import {
  containerResourceErrors,
  isOvercommitted,
  resourceNameErrors,
} from "../pods/checks/containers/resource-names.ts";
import { changed } from "../pods/defaults/field-defaults.ts";

export const limitRangeRules: KindRules = {
  defaults: limitRangeDefaults,
  prepareForCreate(object) {
    const { name, ...metadata } = metadataOf(object);
    return textOf(name) === "" ? { ...object, metadata: { name: randomUUID(), ...metadata } } : object;
  },
  checks: {
    create: (object, metadata) => [...metadata, ...limitErrors(object)],
    update: (object, _, { own }) => [...own, ...limitErrors(object)],
  },
};

const lists = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"];

type Amounts = Readonly<Record<string, Quantity | undefined>>;

function limitRangeDefaults(object: JsonObject): JsonObject {
  const { limits } = specOf(object);
  if (!Array.isArray(limits)) return object;
  return { ...object, spec: { ...specOf(object), limits: limits.map(itemDefaults) } };
}

/** Of containers: what may be had is what can be had at most, and is asked for unless less is. */
function itemDefaults(item: JsonValue): JsonObject {
  const fields = changed(fieldsOf(item), Object.fromEntries(lists.map((list) => [list, roundedAmounts])));
  if (fields["type"] !== "Container") return fields;
  const limits = { ...fieldsOf(fields["max"]), ...fieldsOf(fields["default"]) };
  const requests = { ...fieldsOf(fields["min"]), ...limits, ...fieldsOf(fields["defaultRequest"]) };
  return {
    ...fields,
    ...(Object.keys(limits).length > 0 && { default: limits }),
    ...(Object.keys(requests).length > 0 && { defaultRequest: requests }),
  };
}

function limitErrors(object: JsonObject): FieldError[] {
  const limits = listOf(specOf(object)["limits"]).map(fieldsOf);
  const types = limits.map((limit) => textOf(limit["type"]));
  return limits.flatMap((limit, index) => {
    const path = `spec.limits[${index}]`;
    const type = types[index] ?? "";
    return [
      ...typeErrors(type, `${path}.type`),
      ...(types.indexOf(type) < index ? [duplicate(`${path}.type`, type)] : []),
      ...listErrors(limit, type, path),
      ...valueErrors(limit, type, path),
    ];
  });
}

function typeErrors(type: string, path: string): FieldError[] {
  const problems = qualifiedNameErrors(type).map((problem) => invalid(path, type, problem));
  const isStandard = ["Pod", "Container", "PersistentVolumeClaim"].includes(type);
  if (problems.length > 0 || type.includes("/") || isStandard) return problems;
  return [invalid(path, type, "must be a standard limit type or fully qualified")];
}

function listErrors(limit: JsonObject, type: string, path: string): FieldError[] {
  const check = type === "Pod" || type === "Container" ? containerResourceErrors : resourceNameErrors;
  const names = (list: string) =>
    Object.keys(fieldsOf(limit[list])).flatMap((name) => check(name, `${path}.${list}[${name}]`));
  const defaults = ["default", "defaultRequest"];
  const given = defaults.filter((list) => Object.keys(fieldsOf(limit[list])).length > 0);
  const isUnlimited = ["min", "max"].every((list) => fieldsOf(limit[list])["storage"] === undefined);
  const detail = "either minimum or maximum storage value is required, but neither was provided";
  return [
    ...names("max"),
    ...names("min"),
    ...(type === "Pod"
      ? given.map((list) => forbidden(`${path}.${list}`, "may not be specified when `type` is 'Pod'"))
      : defaults.flatMap(names)),
    ...(type === "PersistentVolumeClaim" && isUnlimited ? [required(`${path}.limits`, detail)] : []),
    ...names("maxLimitRequestRatio"),
  ];
}

function valueErrors(limit: JsonObject, type: string, path: string): FieldError[] {
  const used = type === "Pod" ? lists.filter((list) => !list.startsWith("default")) : lists;
  const names = new Set(used.flatMap((list) => Object.keys(fieldsOf(limit[list]))));
  return [...names].flatMap((name) => {
    const amounts = Object.fromEntries(used.map((list) => [list, amountOf(fieldsOf(limit[list])[name])]));
    const at = (list: string) => `${path}.${list}[${name}]`;
    return [...orderErrors(amounts, at), ...ratioErrors(amounts, at), ...equalErrors(amounts, name, at)];
  });
}

/** Which of two must not be more, where it is told, and the value that is told with it. */
const orders = [
  { less: "min", more: "max", at: "min", shown: "min", text: ["min value", "max value"] },
  {
    less: "min",
    more: "defaultRequest",
    at: "defaultRequest",
    shown: "defaultRequest",
    text: ["min value", "default request value"],
  },
  {
    less: "defaultRequest",
    more: "max",
    at: "defaultRequest",
    shown: "defaultRequest",
    text: ["default request value", "max value"],
  },
  {
    less: "defaultRequest",
    more: "default",
    at: "defaultRequest",
    shown: "defaultRequest",
    text: ["default request value", "default limit value"],
  },
  { less: "min", more: "default", at: "default", shown: "min", text: ["min value", "default value"] },
  { less: "default", more: "max", at: "default", shown: "max", text: ["default value", "max value"] },
] as const;

function orderErrors(amounts: Amounts, pathOf: (list: string) => string): FieldError[] {
  return orders.flatMap(({ less, more, at, shown, text }) => {
    const [low, high] = [amounts[less], amounts[more]];
    if (low === undefined || high === undefined || low.compare(high) <= 0) return [];
    const detail = `${text[0]} ${low.toString()} is greater than ${text[1]} ${high.toString()}`;
    return [invalid(pathOf(at), amounts[shown]?.toString(), detail)];
  });
}

function ratioErrors(amounts: Amounts, pathOf: (list: string) => string): FieldError[] {
  const { maxLimitRequestRatio: ratio, min, max } = amounts;
  if (ratio === undefined) return [];
  const path = pathOf("maxLimitRequestRatio");
  const text = ratio.toString();
  const most = min && max && Number(max.milliValue()) / Number(min.milliValue());
  const isLow = ratio.compare(Quantity.parse("1")) < 0;
  const isHigh = most !== undefined && Number(ratio.milliValue()) / 1000 > most;
  return [
    ...(isLow ? [invalid(path, text, `ratio ${text} is less than 1`)] : []),
    ...(isHigh ? [invalid(path, text, `ratio ${text} is greater than max/min = ${most.toFixed(6)}`)] : []),
  ];
}

function equalErrors(amounts: Amounts, name: string, pathOf: (list: string) => string): FieldError[] {
  const { default: limit, defaultRequest: request } = amounts;
  if (isOvercommitted(name) || !limit || !request || limit.equals(request)) return [];
  const [most, asked] = [limit.toString(), request.toString()];
  const detail = `default value ${most} must equal to defaultRequest value ${asked} in ${name}`;
  return [invalid(pathOf("defaultRequest"), asked, detail)];
}
