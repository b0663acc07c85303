import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid, required } from "@stowage/machinery/structural";
import { isFields, numberOf, textOf } from "../../../../json-fields.ts";
import { fieldReferenceErrors, resourceReferenceErrors } from "../containers/downward-fields.ts";
import { itemErrors, itemsOf, missingErrors, partErrors, when } from "../field-checks.ts";
import { fileNameErrors } from "../path-checks.ts";
import { fileModeErrors } from "../value-checks.ts";

/** Volumes whose files come out of objects. */

export function secretErrors(source: JsonObject, path: string): FieldError[] {
  return keyedErrors(source, path, "secretName");
}

export function configMapErrors(source: JsonObject, path: string): FieldError[] {
  return keyedErrors(source, path, "name");
}

function keyedErrors(source: JsonObject, path: string, name: string): FieldError[] {
  return [
    ...missingErrors(source, path, [name]),
    ...fileModeErrors(`${path}.defaultMode`, source["defaultMode"]),
    ...itemErrors(source["items"], `${path}.items`, keyErrors),
  ];
}

function keyErrors(item: JsonObject, path: string): FieldError[] {
  return [
    ...missingErrors(item, path, ["key", "path"]),
    ...fileNameErrors(`${path}.path`, item["path"]),
    ...fileModeErrors(`${path}.mode`, item["mode"]),
  ];
}

export function downwardErrors(source: JsonObject, path: string): FieldError[] {
  return [
    ...fileModeErrors(`${path}.defaultMode`, source["defaultMode"]),
    ...itemsOf(source["items"]).flatMap((file) => downwardFileErrors(file, path)),
  ];
}

const fileFields = [
  "metadata.name",
  "metadata.namespace",
  "metadata.labels",
  "metadata.annotations",
  "metadata.uid",
] as const;

/** The original says no index of the file. */
function downwardFileErrors(file: JsonObject, path: string): FieldError[] {
  const { fieldRef, resourceFieldRef } = file;
  const both = "fieldRef and resourceFieldRef can not be specified simultaneously";
  return [
    ...missingErrors(file, path, ["path"]),
    ...fileNameErrors(`${path}.path`, file["path"]),
    ...partErrors(fieldRef, `${path}.fieldRef`, (reference, at) => fieldReferenceErrors(reference, at, fileFields)),
    ...when(isFields(fieldRef) && isFields(resourceFieldRef), invalid(path, "resource", both)),
    ...(isFields(fieldRef)
      ? []
      : partErrors(resourceFieldRef, `${path}.resourceFieldRef`, (reference, at) =>
          resourceReferenceErrors(reference, at, { isOfVolume: true }),
        )),
    ...when(
      !isFields(fieldRef) && !isFields(resourceFieldRef),
      required(path, "one of fieldRef and resourceFieldRef is required"),
    ),
    ...fileModeErrors(`${path}.mode`, file["mode"]),
  ];
}

export function projectedErrors(source: JsonObject, path: string): FieldError[] {
  const taken = new Set<string>();
  return [
    ...fileModeErrors(`${path}.defaultMode`, source["defaultMode"]),
    ...itemErrors(source["sources"], `${path}.sources`, (item, at) => projectionErrors(item, at, { path, taken })),
  ];
}

interface Projection {
  /** Of the volume. */
  readonly path: string;
  /** Where there is a file already. */
  readonly taken: Set<string>;
}

const projections = ["secret", "configMap", "downwardAPI", "serviceAccountToken"] as const;

function projectionErrors(source: JsonObject, path: string, projection: Projection): FieldError[] {
  const keyed = (part: JsonObject, at: string) => keyProjectionErrors(part, at, projection);
  return [
    ...partErrors(source["secret"], `${path}.secret`, keyed),
    ...partErrors(source["configMap"], `${path}.configMap`, keyed),
    ...partErrors(source["downwardAPI"], `${path}.downwardAPI`, (part, at) =>
      itemsOf(part["items"]).flatMap((file) => [
        ...downwardFileErrors(file, at),
        ...takenErrors(textOf(file["path"]), textOf(file["path"]), projection),
      ]),
    ),
    ...partErrors(source["serviceAccountToken"], `${path}.serviceAccountToken`, (part, at) =>
      tokenErrors(part, at, projection.path),
    ),
    ...when(
      projections.filter((name) => isFields(source[name])).length > 1,
      forbidden(path, "may not specify more than 1 volume type per source"),
    ),
  ];
}

function keyProjectionErrors(part: JsonObject, path: string, projection: Projection): FieldError[] {
  return [
    ...missingErrors(part, path, ["name"]),
    ...itemErrors(part["items"], `${path}.items`, (item, at) => [
      ...keyErrors(item, at),
      ...takenErrors(textOf(item["path"]), textOf(part["name"]), projection),
    ]),
  ];
}

function takenErrors(file: string, shown: string, { path, taken }: Projection): FieldError[] {
  const isTaken = file !== "" && taken.has(file);
  if (file !== "") taken.add(file);
  return when(isTaken, invalid(path, shown, "conflicting duplicate paths"));
}

function tokenErrors(token: JsonObject, path: string, volumePath: string): FieldError[] {
  const seconds = numberOf(token["expirationSeconds"]) ?? 0;
  const at = `${path}.expirationSeconds`;
  const file = textOf(token["path"]);
  return [
    ...when(seconds < 600, invalid(at, seconds, "may not specify a duration less than 10 minutes")),
    ...when(seconds > 2 ** 32, invalid(at, seconds, "may not specify a duration larger than 2^32 seconds")),
    ...(file === "" ? [required(`${volumePath}.path`)] : fileNameErrors(`${volumePath}.path`, file)),
  ];
}
