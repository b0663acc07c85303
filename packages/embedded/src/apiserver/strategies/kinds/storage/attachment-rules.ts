import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid, required, tooLong } from "@stowage/machinery/structural";
import { fieldsOf, isFields, numberOf, sameJson, specOf, textOf, withFields } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { goForm, wireForm, wirePart } from "../go-types/index.ts";
import { driverNameErrors, mapBytes, subdomainErrors } from "./field-checks.ts";
import { goTypes } from "./go-volume-types.ts";
import { inlineVolumeErrors } from "./volume-errors.ts";
import { volumeSourceDefaults } from "./volume-source-defaults.ts";

export const attachmentRules: KindRules = {
  defaults: attachmentDefaults,
  checks: {
    create: (object, metadata) => [...metadata, ...attachmentErrors(object)],
    update: (object, old, { own }) => changed(object, old, own),
    status: (object, old, { own }) => changed(object, old, own),
  },
};

function attachmentDefaults(object: JsonObject): JsonObject {
  const spec = wireForm(goTypes, "VolumeAttachmentSpec", specOf(object));
  const source = fieldsOf(spec["source"]);
  const inline = source["inlineVolumeSpec"];
  const inlineVolumeSpec = isFields(inline) ? volumeSourceDefaults(inline) : inline;
  return withFields(object, {
    spec: { ...spec, source: withFields(source, { inlineVolumeSpec }) },
    status: wirePart(goTypes, "VolumeAttachmentStatus", object["status"]),
  });
}

function changed(object: JsonObject, old: JsonObject, metadata: readonly FieldError[]): FieldError[] {
  const isSame = sameJson(object["spec"], old["spec"]);
  const shown = goForm(goTypes, "VolumeAttachmentSpec", specOf(object));
  return [...metadata, ...attachmentErrors(object), ...(isSame ? [] : [invalid("spec", shown, "field is immutable")])];
}

function attachmentErrors(object: JsonObject): FieldError[] {
  const spec = specOf(object);
  const source = fieldsOf(spec["source"]);
  const volume = source["persistentVolumeName"];
  return [
    ...driverNameErrors(textOf(spec["attacher"]), "spec.attacher"),
    ...sourceErrors(source, "spec.source"),
    ...subdomainErrors(textOf(spec["nodeName"]), "spec.nodeName"),
    ...statusErrors(fieldsOf(object["status"])),
    ...(volume === undefined ? [] : subdomainErrors(textOf(volume), "spec.source.persistentVolumeName")),
  ];
}

function sourceErrors(source: JsonObject, path: string): FieldError[] {
  const { inlineVolumeSpec: inline, persistentVolumeName: name } = source;
  const detail = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  if (inline === undefined && name === undefined) return [required(path, detail)];
  if (inline !== undefined && name !== undefined) return [forbidden(path, detail)];
  if (inline !== undefined) return inlineVolumeErrors(fieldsOf(inline), `${path}.inlineVolumeSpec`);
  return name === "" ? [required(`${path}.persistentVolumeName`, "must specify non empty persistentVolumeName")] : [];
}

const mostMetadataBytes = 256 * 1024;
const mostMessageBytes = 1024;

function statusErrors(status: JsonObject): FieldError[] {
  const isTooLong = mapBytes(fieldsOf(status["attachmentMetadata"])) > mostMetadataBytes;
  return [
    ...(isTooLong ? [tooLong("status.attachmentMetadata", mostMetadataBytes)] : []),
    ...volumeErrorErrors(status["attachError"], "status.attachError"),
    ...volumeErrorErrors(status["detachError"], "status.detachError"),
  ];
}

function volumeErrorErrors(error: JsonValue | undefined, path: string): FieldError[] {
  const { message, errorCode } = fieldsOf(error);
  const code = numberOf(errorCode) ?? 0;
  return [
    // The limit that is told is the other one's, as it is told by the original.
    ...(Buffer.byteLength(textOf(message)) > mostMessageBytes ? [tooLong(`${path}.message`, mostMetadataBytes)] : []),
    ...(code < 0 ? [invalid(`${path}.errorCode`, code, "must be between 0 and 2147483647, inclusive")] : []),
  ];
}
