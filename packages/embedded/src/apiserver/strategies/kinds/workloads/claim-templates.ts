import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import type { FieldError } from "@stowage/machinery/structural";
import { fieldsOf, listOf, metadataOf, specOf, textOf } from "../../json-fields.ts";
import { claimSpecDefaults, claimSpecErrors, claimSpecWarnings } from "../storage/index.ts";

/** The claims that each Pod of a StatefulSet gets its own of. */
function claimTemplatesOf(spec: JsonObject): JsonObject[] {
  return listOf(spec["volumeClaimTemplates"]).map(fieldsOf);
}

/** They are written as whole claims, with what they are and how far they have come. */
export function claimTemplateDefaults(template: JsonValue): JsonObject {
  const claim = fieldsOf(template);
  return {
    ...claim,
    kind: "PersistentVolumeClaim",
    apiVersion: "v1",
    spec: claimSpecDefaults(specOf(claim)),
    status: { phase: "Pending", ...fieldsOf(claim["status"]) },
  };
}

export function claimTemplateErrors(spec: JsonObject): FieldError[] {
  return claimTemplatesOf(spec).flatMap((claim, index) =>
    claimSpecErrors(specOf(claim), `spec.volumeClaimTemplates[${index}].spec`, undefined),
  );
}

export function claimTemplateWarnings(spec: JsonObject, old: JsonObject | undefined): string[] {
  const within = old === undefined ? "" : ".Spec";
  return claimTemplatesOf(spec).flatMap((claim, index) =>
    claimSpecWarnings(specOf(claim), `spec.volumeClaimTemplates[${index}]${within}`),
  );
}

/** The template as its Pods will be: each claim is a volume of theirs, and their names are the controller's to give. */
export function withClaimVolumes(template: JsonObject, spec: JsonObject): JsonObject {
  const { hostname: _, subdomain: __, volumes, ...pod } = specOf(template);
  const names = claimTemplatesOf(spec).map((claim) => textOf(metadataOf(claim)["name"]));
  const own = listOf(volumes).filter((volume) => !names.includes(textOf(fieldsOf(volume)["name"])));
  const all = [...names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })), ...own];
  return { ...template, spec: { ...pod, ...(all.length > 0 && { volumes: all }) } };
}
