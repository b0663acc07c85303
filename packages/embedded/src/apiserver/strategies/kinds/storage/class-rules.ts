import { qualifiedNameErrors } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { duplicate, type FieldError, forbidden, invalid, required, tooLong } from "@stowage/machinery/structural";
import { fieldsOf, listOf, sameJson, textOf, textsOf } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { immutableField } from "../immutability.ts";
import { labelKeyErrors } from "../label-selectors.ts";
import { choiceErrors, mapBytes } from "./field-checks.ts";
import { outdatedLabel } from "./node-selectors.ts";

const settledFields = ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"];

export const storageClassRules: KindRules = {
  defaults: (object) => ({ reclaimPolicy: "Delete", volumeBindingMode: "Immediate", ...object }),
  checks: {
    create: (object, metadata) => [...metadata, ...storageClassErrors(object)],
    update: (object, old, { own, changes }) => [
      ...own,
      ...storageClassErrors(object),
      ...changes,
      ...settledFields.flatMap((name) => immutableField(name, object[name], old[name])),
    ],
  },
  warnings: (object) =>
    expressionsOf(object).flatMap(({ expression, path }) => {
      const why = outdatedLabel(expression["key"]);
      return why === undefined ? [] : [`${path}.key: ${why}`];
    }),
};

export const attributesClassRules: KindRules = {
  checks: {
    create: (object, metadata) => [...metadata, ...attributesClassErrors(object)],
    update: (object, old, { own, changes }) => [
      ...changes,
      ...["driverName", "parameters"]
        .filter((name) => !sameJson(object[name], old[name]))
        .map((name) => forbidden(name, `updates to ${name} are forbidden.`)),
      ...own,
      ...attributesClassErrors(object),
    ],
  },
};

function storageClassErrors(object: JsonObject): FieldError[] {
  const policy = textOf(object["reclaimPolicy"]);
  return [
    ...provisionerErrors(textOf(object["provisioner"]), "provisioner"),
    ...parameterErrors(object["parameters"]),
    ...(policy === "" ? [] : choiceErrors(policy, "reclaimPolicy", ["Delete", "Retain"])),
    ...choiceErrors(object["volumeBindingMode"], "volumeBindingMode", ["Immediate", "WaitForFirstConsumer"]),
    ...topologyErrors(listOf(object["allowedTopologies"])),
  ];
}

function attributesClassErrors(object: JsonObject): FieldError[] {
  const isEmpty = Object.keys(fieldsOf(object["parameters"])).length === 0;
  return [
    ...provisionerErrors(textOf(object["driverName"]), "driverName"),
    ...parameterErrors(object["parameters"]),
    ...(isEmpty ? [required("parameters", "must contain at least one key/value pair")] : []),
  ];
}

function provisionerErrors(name: string, path: string): FieldError[] {
  if (name === "") return [required(path)];
  const small = name.toLowerCase();
  return qualifiedNameErrors(small).map((problem) => invalid(path, small, problem));
}

const mostParameters = 512;
const mostParameterBytes = 256 * 1024;

function parameterErrors(value: JsonValue | undefined): FieldError[] {
  const path = "parameters";
  const parameters = fieldsOf(value);
  if (Object.keys(parameters).length > mostParameters) return [tooLong(path, mostParameters)];
  return [
    ...(Object.hasOwn(parameters, "") ? [invalid(path, "", "field can not be empty.")] : []),
    ...(mapBytes(parameters) > mostParameterBytes ? [tooLong(path, mostParameterBytes)] : []),
  ];
}

function expressionsOf(object: JsonObject): { expression: JsonObject; path: string }[] {
  return listOf(object["allowedTopologies"]).flatMap((term, index) =>
    listOf(fieldsOf(term)["matchLabelExpressions"]).map((expression, place) => ({
      expression: fieldsOf(expression),
      path: `allowedTopologies[${index}].matchLabelExpressions[${place}]`,
    })),
  );
}

function topologyErrors(terms: readonly JsonValue[]): FieldError[] {
  // The original begins with as many empty terms as there are, so that an empty one is always a second one.
  const known: JsonValue[] = terms.length > 0 ? [{}] : [];
  return terms.flatMap((term, index) => {
    const path = `allowedTopologies[${index}].matchLabelExpressions`;
    const { errors, values } = termErrors(listOf(fieldsOf(term)["matchLabelExpressions"]), path);
    const twice = known.filter((other) => sameJson(other, values)).map(() => duplicate(path, ""));
    known.push(values);
    return [...errors, ...twice];
  });
}

function termErrors(expressions: readonly JsonValue[], path: string) {
  const values: Record<string, JsonValue> = {};
  const errors = expressions.flatMap((item, index) => {
    const at = `${path}[${index}]`;
    const expression = fieldsOf(item);
    const key = textOf(expression["key"]);
    const again = Object.hasOwn(values, key) ? [duplicate(`${at}.key`, key)] : [];
    const own = textsOf(expression["values"]);
    values[key] = [...new Set(own)].toSorted();
    return [...valueErrors(own, `${at}.values`), ...labelKeyErrors(key, `${at}.key`), ...again];
  });
  return { errors, values };
}

function valueErrors(values: readonly string[], path: string): FieldError[] {
  if (values.length === 0) return [required(path)];
  return values.flatMap((value, index) =>
    values.indexOf(value) < index ? [duplicate(`${path}[${index}]`, value)] : [],
  );
}
