import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { duplicate, type FieldError, invalid, required } from "@stowage/machinery/structural";
import { fieldsOf, listOf, sameJson, specOf, textOf, textsOf, withFields } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { goForm, wireForm } from "../go-types/index.ts";
import { labelKeyErrors } from "../label-selectors.ts";
import { nonNegativeErrors } from "../number-checks.ts";
import { driverNameErrors } from "./field-checks.ts";
import { goTypes } from "./go-volume-types.ts";

export const csiNodeRules: KindRules = {
  defaults: (object) => ({ ...object, spec: wireForm(goTypes, "CSINodeSpec", specOf(object)) }),
  checks: {
    create: (object, metadata) => [...metadata, ...nodeErrors(object)],
    update: (object, old, { own }) => [...own, ...nodeErrors(object), ...changeErrors(object, old)],
  },
};

function driversOf(object: JsonObject): JsonObject[] {
  return listOf(specOf(object)["drivers"]).map(fieldsOf);
}

const mostIdBytes = 256;

function nodeErrors(object: JsonObject): FieldError[] {
  const names = new Set<JsonValue | undefined>();
  return driversOf(object).flatMap((driver, index) => {
    const path = `spec.drivers[${index}]`;
    const [name, id] = [textOf(driver["name"]), textOf(driver["nodeID"])];
    const isAgain = names.has(name);
    names.add(name);
    return [
      ...driverNameErrors(name, `${path}.name`),
      ...(id === "" ? [required(`${path}.nodeID`)] : []),
      ...(Buffer.byteLength(id) > mostIdBytes
        ? [invalid(`${path}.nodeID`, id, `must be ${mostIdBytes} characters or less`)]
        : []),
      ...nonNegativeErrors(fieldsOf(driver["allocatable"]), `${path}.allocatable`, ["count"]),
      ...(isAgain ? [duplicate(`${path}.name`, name)] : []),
      ...topologyErrors(textsOf(driver["topologyKeys"]), path),
    ];
  });
}

function topologyErrors(keys: readonly string[], path: string): FieldError[] {
  return keys.flatMap((key, index) => [
    ...(key === "" ? [required(path)] : []),
    ...(keys.indexOf(key) < index ? [duplicate(path, key)] : []),
    ...labelKeyErrors(key, path),
  ]);
}

/** How many volumes a driver can attach may change; what it is called on the node may not. */
function changeErrors(object: JsonObject, old: JsonObject): FieldError[] {
  return driversOf(old).flatMap((before) =>
    driversOf(object)
      .filter((driver) => driver["name"] === before["name"] && !sameJson(settled(driver), settled(before)))
      .map((driver) => {
        return invalid("spec.drivers", goForm(goTypes, "CSINodeDriver", settled(driver)), "field is immutable");
      }),
  );
}

function settled(driver: JsonObject): JsonObject {
  return withFields(driver, { allocatable: undefined });
}
