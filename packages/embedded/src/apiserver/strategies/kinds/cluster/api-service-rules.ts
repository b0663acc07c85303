import { dns1035LabelErrors, dns1123SubdomainErrors, formatTime } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, goQuote, invalid, notSupported, required } from "@stowage/machinery/structural";
import { fieldsOf, listOf, metadataOf, numberOf, specOf, textOf } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { pathSegmentProblems } from "../../metadata-update.ts";
import { withDefaults } from "../field-defaults.ts";

/** Objects only: what they name is not asked for anything. */
export const apiServiceRules: KindRules = {
  defaults: apiServiceDefaults,
  prepareForCreate: (object, nowMs) =>
    specOf(object)["service"] === undefined ? { ...object, status: { conditions: [available(nowMs)] } } : object,
  checks: {
    create: (object, metadata) => [...nameErrors(object, metadata), ...specErrors(specOf(object))],
    update: (object, _, { own, changes }) => [...changes, ...nameErrors(object, own), ...specErrors(specOf(object))],
    status: (object, _, { changes }) => [...changes, ...statusErrors(fieldsOf(object["status"]))],
  },
};

function apiServiceDefaults(object: JsonObject): JsonObject {
  const { service } = specOf(object);
  if (service === undefined) return object;
  return { ...object, spec: { ...specOf(object), service: withDefaults(fieldsOf(service), { port: 443 }) } };
}

function available(nowMs: number): JsonObject {
  return {
    lastTransitionTime: formatTime(nowMs),
    message: "Local APIServices are always available",
    reason: "Local",
    status: "True",
    type: "Available",
  };
}

/** Its name says what it is of. */
function nameErrors(object: JsonObject, metadata: readonly FieldError[]): FieldError[] {
  const { version, group } = specOf(object);
  const name = textOf(metadataOf(object)["name"]);
  const wanted = `${textOf(version)}.${textOf(group)}`;
  if (name === "" || name === wanted || pathSegmentProblems(name, false).length > 0) return [...metadata];
  const error = invalid("metadata.name", name, `must be \`spec.version+"."+spec.group\`: ${goQuote(wanted)}`);
  return [error, ...metadata];
}

function specErrors(spec: JsonObject): FieldError[] {
  const [group, version] = [textOf(spec["group"]), textOf(spec["version"])];
  const isUngrouped = group === "" && version !== "v1";
  const detail = "only v1 may have an empty group and it better be legacy kube";
  const problems = group === "" ? [] : dns1123SubdomainErrors(group);
  return [
    ...(isUngrouped ? [required("spec.group", detail)] : []),
    ...problems.map((problem) => invalid("spec.group", group, problem)),
    ...dns1035LabelErrors(version).map((problem) => invalid("spec.version", version, problem)),
    ...priorityErrors(spec, "groupPriorityMinimum", 20_000),
    ...priorityErrors(spec, "versionPriority", 1000),
    ...(spec["service"] === undefined ? localErrors(spec) : serviceErrors(spec)),
  ];
}

function priorityErrors(spec: JsonObject, name: string, most: number): FieldError[] {
  const value = numberOf(spec[name]) ?? 0;
  const isRight = value > 0 && value <= most;
  return isRight ? [] : [invalid(`spec.${name}`, value, `must be positive and less than ${most}`)];
}

function localErrors({ caBundle, insecureSkipTLSVerify }: JsonObject): FieldError[] {
  const bytes = Buffer.byteLength(textOf(caBundle), "base64");
  const [bundle, insecure] = ["spec.caBundle", "spec.insecureSkipTLSVerify"];
  return [
    ...(bytes > 0 ? [invalid(bundle, `${bytes} bytes`, "local APIServices may not have a caBundle")] : []),
    ...(insecureSkipTLSVerify === true
      ? [invalid(insecure, true, "local APIServices may not have insecureSkipTLSVerify")]
      : []),
  ];
}

function serviceErrors({ service, caBundle, insecureSkipTLSVerify }: JsonObject): FieldError[] {
  const path = "spec.service";
  const fields = fieldsOf(service);
  const port = numberOf(fields["port"]) ?? 0;
  const isPort = port >= 1 && port <= 65_535;
  const detail = "port is not valid: must be between 1 and 65535, inclusive";
  const isBoth = insecureSkipTLSVerify === true && textOf(caBundle) !== "";
  return [
    ...["namespace", "name"].filter((name) => textOf(fields[name]) === "").map((name) => required(`${path}.${name}`)),
    ...(isPort ? [] : [invalid(`${path}.port`, port, detail)]),
    ...(isBoth ? [invalid("spec.insecureSkipTLSVerify", true, "may not be true if caBundle is present")] : []),
  ];
}

function statusErrors({ conditions }: JsonObject): FieldError[] {
  const known = ["True", "False", "Unknown"];
  return listOf(conditions).flatMap((condition, index) => {
    const status = textOf(fieldsOf(condition)["status"]);
    return known.includes(status) ? [] : [notSupported(`status.conditions[${index}].status`, status, known)];
  });
}
