import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid, required } from "@stowage/machinery/structural";
import { isFields, numberOf, textOf } from "../../json-fields.ts";
import { rangeErrors, requiredErrors } from "./field-checks.ts";

export function iscsiErrors(source: JsonObject, path: string, volumeName: string): FieldError[] {
  const { secretRef, initiatorName } = source;
  const usesSecret = source["chapAuthDiscovery"] === true || source["chapAuthSession"] === true;
  return [
    ...requiredErrors(source, path, ["targetPortal"]),
    ...lengthErrors(source, path, volumeName),
    ...nameErrors(textOf(source["iqn"]), `${path}.iqn`),
    ...rangeErrors(numberOf(source["lun"]) ?? 0, `${path}.lun`, [0, 255]),
    ...(usesSecret && secretRef === undefined ? [required(`${path}.secretRef`)] : []),
    ...(isFields(secretRef) ? requiredErrors(secretRef, `${path}.secretRef`, ["name"]) : []),
    ...(initiatorName === undefined ? [] : formErrors(textOf(initiatorName), `${path}.initiatorname`)),
  ];
}

function lengthErrors(source: JsonObject, path: string, volumeName: string): FieldError[] {
  const portal = textOf(source["targetPortal"]);
  if (source["initiatorName"] === undefined || Buffer.byteLength(`${volumeName}:${portal}`) <= 64) return [];
  const what = "Total length of <volume name>:<iscsi.targetPortal>";
  const detail = `${what} must be under 64 characters if iscsi.initiatorName is specified.`;
  return [invalid(`${path}.targetportal`, portal, detail)];
}

function nameErrors(name: string, path: string): FieldError[] {
  return name === "" ? [required(path)] : formErrors(name, path);
}

/** By the letters that they begin with. */
const forms: ReadonlyMap<string, RegExp> = new Map([
  ["iqn", /iqn\.\d{4}-\d{2}\.[A-Za-z0-9\-.]+:[^,;*&$|\s]+$/u],
  ["eui", /^eui.[A-Za-z0-9]{16}$/u],
  ["naa", /^naa.[A-Za-z0-9]{32}$/u],
]);

function formErrors(name: string, path: string): FieldError[] {
  return forms.get(name.slice(0, 3))?.test(name) === true ? [] : [invalid(path, name, "must be valid format")];
}
