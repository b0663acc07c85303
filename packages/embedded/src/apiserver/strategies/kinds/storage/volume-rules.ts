import { formatTime } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, sameJson, specOf, withFields } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { wireForm } from "../go-types/index.ts";
import { goTypes } from "./go-volume-types.ts";
import { volumeChangeErrors } from "./volume-changes.ts";
import { mountOptionErrors, volumeErrors } from "./volume-errors.ts";
import { volumeSourceDefaults } from "./volume-source-defaults.ts";
import { volumeWarnings } from "./volume-warnings.ts";

export const volumeRules: KindRules = {
  defaults: volumeDefaults,
  prepareForCreate: (object, nowMs) => ({
    ...object,
    status: { phase: "Pending", lastPhaseTransitionTime: formatTime(nowMs) },
  }),
  prepareForStatusUpdate: withTransitionTime,
  checks: {
    create: (object, metadata) => [...metadata, ...volumeErrors(object, undefined), ...mountOptionErrors(object)],
    /** The original looks at all of it twice. */
    update(object, old, { own }) {
      const all = [...own, ...volumeErrors(object, old)];
      return [...all, ...mountOptionErrors(object), ...all, ...volumeChangeErrors(specOf(object), specOf(old))];
    },
    status: (_object, _old, { changes }) => [...changes],
  },
  warnings: volumeWarnings,
};

function volumeDefaults(object: JsonObject): JsonObject {
  const spec = volumeSourceDefaults(wireForm(goTypes, "PersistentVolumeSpec", specOf(object)));
  const status = wireForm(goTypes, "PersistentVolumeStatus", fieldsOf(object["status"]));
  return {
    ...object,
    spec: { persistentVolumeReclaimPolicy: "Retain", volumeMode: "Filesystem", ...spec },
    status: { phase: "Pending", ...status },
  };
}

/** When the phase changed, unless whoever changed it says it. */
function withTransitionTime(object: JsonObject, old: JsonObject, nowMs: number): JsonObject {
  const [now, before] = [fieldsOf(object["status"]), fieldsOf(old["status"])];
  const [time, known] = [now["lastPhaseTransitionTime"], before["lastPhaseTransitionTime"]];
  if (now["phase"] === before["phase"]) {
    return time === undefined ? { ...object, status: withFields(now, { lastPhaseTransitionTime: known }) } : object;
  }
  if (time !== undefined && !sameJson(time, known)) return object;
  return { ...object, status: { ...now, lastPhaseTransitionTime: formatTime(nowMs) } };
}
