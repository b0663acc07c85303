import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { fieldsOf, isFields, metadataOf, specOf, textOf, withFields } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { amountOf } from "../amounts.ts";
import { wireForm } from "../go-types/index.ts";
import { claimChangeErrors, classAnnotation } from "./claim-changes.ts";
import { claimSpecErrors } from "./claim-errors.ts";
import { claimStatusErrors } from "./claim-status-errors.ts";
import { goTypes } from "./go-volume-types.ts";

export const claimRules: KindRules = {
  defaults: (object) => ({
    ...object,
    spec: claimSpecDefaults(specOf(object)),
    status: {
      phase: "Pending",
      ...wireForm(goTypes, "PersistentVolumeClaimStatus", fieldsOf(object["status"])),
    },
  }),
  prepareForCreate: (object) => ({ ...object, spec: withSources(specOf(object), {}), status: { phase: "Pending" } }),
  prepareForUpdate: (object, old) => ({ ...object, spec: withSources(specOf(object), specOf(old)) }),
  checks: {
    create: (object, metadata) => [...metadata, ...claimSpecErrors(specOf(object), "spec", undefined)],
    update: (object, old, { own, changes }) => [
      ...changes,
      ...own,
      ...claimSpecErrors(specOf(object), "spec", specOf(old)),
      ...claimChangeErrors(object, old),
    ],
    status: (object, _old, { changes }) => [...changes, ...claimStatusErrors(object)],
  },
  warnings: claimWarnings,
};

/** Of a claim, and of a template of one. */
export function claimSpecDefaults(spec: JsonObject): JsonObject {
  return { volumeMode: "Filesystem", ...wireForm(goTypes, "PersistentVolumeClaimSpec", spec) };
}

/** A source of data that both fields can name is in both of them. */
function withSources(spec: JsonObject, old: JsonObject): JsonObject {
  const reference = mayNameSource(spec, old) ? spec["dataSourceRef"] : undefined;
  const hadSource = old["dataSource"] !== undefined || old["dataSourceRef"] !== undefined;
  const isKnown = hadSource || reference !== undefined || isClaimOrSnapshot(fieldsOf(spec["dataSource"]));
  const source = isKnown ? spec["dataSource"] : undefined;
  const isElsewhere = textOf(fieldsOf(reference)["namespace"]) !== "";
  return withFields(spec, {
    dataSource: source ?? (isFields(reference) && !isElsewhere ? named(reference) : undefined),
    dataSourceRef: reference ?? (isFields(source) ? named(source) : undefined),
  });
}

/** Sources in other namespaces are not for everybody: the feature is off unless somebody asks for it. */
function mayNameSource({ dataSourceRef }: JsonObject, old: JsonObject): boolean {
  return textOf(fieldsOf(dataSourceRef)["namespace"]) === "" || old["dataSourceRef"] !== undefined;
}

/** Everything else that was once written there has always been ignored. */
function isClaimOrSnapshot(source: JsonObject): boolean {
  const [kind, group] = [textOf(source["kind"]), textOf(source["apiGroup"])];
  const isClaim = kind === "PersistentVolumeClaim" && group === "";
  return isClaim || (kind === "VolumeSnapshot" && group === "snapshot.storage.k8s.io");
}

function named({ apiGroup, kind, name }: JsonObject): JsonObject {
  return withFields({}, { apiGroup, kind, name });
}

function claimWarnings(object: JsonObject): string[] {
  const annotations = fieldsOf(metadataOf(object)["annotations"]);
  const outdated = `metadata.annotations[${classAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`;
  return [
    ...(Object.hasOwn(annotations, classAnnotation) ? [outdated] : []),
    ...claimSpecWarnings(specOf(object), "spec"),
  ];
}

/** Of a claim, and of a template of one. */
export function claimSpecWarnings(spec: JsonObject, path: string): string[] {
  return ["requests", "limits"].flatMap((name) => {
    const size = fieldsOf(fieldsOf(spec["resources"])[name])["storage"];
    return isFraction(size)
      ? [`${path}.resources.${name}[storage]: fractional byte value "${textOf(size)}" is invalid, must be an integer`]
      : [];
  });
}

function isFraction(value: JsonValue | undefined): boolean {
  return (amountOf(value)?.milliValue() ?? 0n) % 1000n !== 0n;
}
