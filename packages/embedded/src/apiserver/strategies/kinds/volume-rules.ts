import { formatTime } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, forbidden } from "@stowage/machinery/structural";
import { fieldsOf, sameJson, specOf, textOf, withFields } from "../json-fields.ts";
import type { KindRules } from "../kind-rules.ts";
import { amountOf } from "./amounts.ts";
import { immutableField } from "./immutability.ts";

export const volumeRules: KindRules = {
  prepareForCreate: (object, nowMs) => ({
    ...object,
    status: { phase: "Pending", lastPhaseTransitionTime: formatTime(nowMs) },
  }),
  prepareForStatusUpdate(object, old, nowMs) {
    const [now, before] = [fieldsOf(object["status"]), fieldsOf(old["status"])];
    const time = now["lastPhaseTransitionTime"];
    const known = before["lastPhaseTransitionTime"];
    if (now["phase"] === before["phase"]) {
      return time === undefined ? { ...object, status: withFields(now, { lastPhaseTransitionTime: known }) } : object;
    }
    if (time !== undefined && !sameJson(time, known)) return object;
    return { ...object, status: { ...now, lastPhaseTransitionTime: formatTime(nowMs) } };
  },
  updateErrors(object, old) {
    const [now, before] = [specOf(object), specOf(old)];
    return [
      ...sourceErrors(now, before),
      ...immutableField("volumeMode", now["volumeMode"], before["volumeMode"]),
      ...(before["volumeAttributesClassName"] !== undefined && now["volumeAttributesClassName"] === undefined
        ? [forbidden("spec.volumeAttributesClassName", "update from non-nil value to nil is forbidden")]
        : []),
    ];
  },
};

/** What of the spec is not the source: where the volume is, is the rest. */
const besideSource: ReadonlySet<string> = new Set([
  "accessModes",
  "capacity",
  "claimRef",
  "mountOptions",
  "nodeAffinity",
  "persistentVolumeReclaimPolicy",
  "storageClassName",
  "volumeAttributesClassName",
  "volumeMode",
]);

function sourceErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const secret = "controllerExpandSecretRef";
  const mayBeSet = fieldsOf(before["csi"])[secret] === undefined && before["csi"] !== undefined;
  const csi =
    now["csi"] !== undefined && mayBeSet ? withFields(fieldsOf(now["csi"]), { [secret]: undefined }) : now["csi"];
  if (sameJson(sourceOf(withFields(now, { csi })), sourceOf(before))) return [];
  return [forbidden("spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation")];
}

function sourceOf(spec: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => !besideSource.has(name)));
}

export const claimRules: KindRules = {
  prepareForCreate: (object) => ({ ...object, spec: withSources(specOf(object)), status: { phase: "Pending" } }),
  prepareForUpdate: (object) => ({ ...object, spec: withSources(specOf(object)) }),
  updateErrors: claimUpdateErrors,
};

/** A source of data that both fields can name is in both of them. */
function withSources(spec: JsonObject): JsonObject {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined && dataSourceRef === undefined) return { ...spec, dataSourceRef: dataSource };
  if (dataSource !== undefined || dataSourceRef === undefined) return spec;
  const isElsewhere = fieldsOf(dataSourceRef)["namespace"] !== undefined;
  return isElsewhere ? spec : { ...spec, dataSource: dataSourceRef };
}

function claimUpdateErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const [now, before] = [specOf(object), specOf(old)];
  const size = "spec.resources.requests.storage";
  const capacity = bytesOf(fieldsOf(fieldsOf(old["status"])["capacity"])["storage"]);
  const isLess = bytesOf(requestOf(now)) < bytesOf(requestOf(before));
  const changed =
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
  return [
    ...(sameJson(settled(now, before, isBound(object)), settled(before, before, false))
      ? []
      : [forbidden("spec", changed)]),
    ...(isLess && bytesOf(requestOf(now)) <= capacity
      ? [forbidden(size, "field can not be less than status.capacity")]
      : []),
    ...immutableField("volumeMode", now["volumeMode"], before["volumeMode"]),
  ];
}

/** The spec as it was, but for what may not change. */
function settled(spec: JsonObject, before: JsonObject, isBound: boolean): JsonObject {
  const volumeName = textOf(before["volumeName"]) === "" ? undefined : spec["volumeName"];
  const storageClassName = before["storageClassName"] === undefined ? undefined : spec["storageClassName"];
  const common = withFields(spec, { volumeName, storageClassName });
  if (!isBound) return common;
  const resources = fieldsOf(spec["resources"]);
  const requests = withFields(fieldsOf(resources["requests"]), { storage: requestOf(before) });
  const volumeAttributesClassName = before["volumeAttributesClassName"];
  return withFields(common, { resources: { ...resources, requests }, volumeAttributesClassName });
}

function isBound(object: JsonObject): boolean {
  return fieldsOf(object["status"])["phase"] === "Bound";
}

function requestOf(spec: JsonObject): JsonValue | undefined {
  return fieldsOf(fieldsOf(spec["resources"])["requests"])["storage"];
}

function bytesOf(quantity: JsonValue | undefined): bigint {
  return amountOf(quantity)?.value() ?? 0n;
}
