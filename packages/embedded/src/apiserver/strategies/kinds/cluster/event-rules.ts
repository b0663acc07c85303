import { dns1123SubdomainErrors, parseTime } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid, required } from "@stowage/machinery/structural";
import { fieldsOf, metadataOf, numberOf, sameJson, textOf } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { labelKeyErrors } from "../label-selectors.ts";
import { shownPart } from "./cluster-types.ts";

/** What the newer group calls what messages name as the core group does. */
const newerNames: Readonly<Record<string, string>> = {
  involvedObject: "regarding",
  message: "note",
  source: "deprecatedSource",
  firstTimestamp: "deprecatedFirstTimestamp",
  lastTimestamp: "deprecatedLastTimestamp",
  count: "deprecatedCount",
};

/** Of the core group, which has taken everything for too long to be strict now. */
export const coreEventRules: KindRules = {
  garbageCollection: "unsupported",
  checks: {
    create: (object) => plainErrors(object, "reportingComponent"),
    update: (object) => plainErrors(object, "reportingComponent"),
  },
};

export const eventRules: KindRules = {
  garbageCollection: "unsupported",
  checks: {
    create: (object, metadata) => {
      const event = withCoreNames(object);
      return [...plainErrors(event, "reportingController"), ...metadata, ...newErrors(event)];
    },
    update: (object, old, { changes }) => {
      const [event, before] = [withCoreNames(object), withCoreNames(old)];
      const isSame = sameJson(event["series"], before["series"]);
      return [
        ...plainErrors(event, "reportingController"),
        ...changes,
        ...(isSame ? [] : seriesErrors(event)),
        ...settledErrors(event, before),
      ];
    },
  },
};

function withCoreNames(object: JsonObject): JsonObject {
  const renamed = Object.entries(newerNames).flatMap(([core, newer]) =>
    object[newer] === undefined ? [] : [[core, object[newer]] as const],
  );
  return { ...object, ...Object.fromEntries(renamed) };
}

/** `controller` is what the group calls who reports. */
function plainErrors(event: JsonObject, controller: string): FieldError[] {
  const namespace = textOf(metadataOf(event)["namespace"]);
  const isTimed = isSet(event["eventTime"]);
  return [
    ...aboutErrors(event, namespace, isTimed),
    ...(isTimed ? reportErrors(event, controller) : []),
    ...dns1123SubdomainErrors(namespace).map((problem) => invalid("namespace", namespace, problem)),
  ];
}

function aboutErrors(event: JsonObject, namespace: string, isTimed: boolean): FieldError[] {
  const about = textOf(fieldsOf(event["involvedObject"])["namespace"]);
  const homes = isTimed ? ["default", "kube-system"] : ["", "default"];
  const isRight = about === "" ? homes.includes(namespace) : isTimed || about === namespace;
  return isRight ? [] : [invalid("involvedObject.namespace", about, "does not match event.namespace")];
}

function reportErrors(event: JsonObject, controllerName: string): FieldError[] {
  const controller = textOf(event[controllerName]);
  return [
    ...(controller === "" ? [required(controllerName)] : []),
    ...labelKeyErrors(controller, controllerName),
    ...["reportingInstance", "action", "reason"].flatMap((name) => [
      ...(textOf(event[name]) === "" ? [required(name)] : []),
      ...lengthErrors(event, name, 128),
    ]),
    ...lengthErrors(event, "message", 1024),
  ];
}

function lengthErrors(event: JsonObject, name: string, most: number): FieldError[] {
  const isLong = Buffer.byteLength(textOf(event[name])) > most;
  return isLong ? [invalid(name, "", `can have at most ${most} characters`)] : [];
}

function newErrors(event: JsonObject): FieldError[] {
  const type = textOf(event["type"]);
  const { component, host } = fieldsOf(event["source"]);
  const unset = (name: string, isUnset: boolean) => (isUnset ? [] : [invalid(name, "", "needs to be unset")]);
  return [
    ...seriesErrors(event),
    ...(isSet(event["eventTime"]) ? [] : [required("eventTime")]),
    ...(type === "Normal" || type === "Warning" ? [] : [invalid("type", "", `has invalid value: ${type}`)]),
    ...unset("firstTimestamp", !isSet(event["firstTimestamp"])),
    ...unset("lastTimestamp", !isSet(event["lastTimestamp"])),
    ...unset("count", (numberOf(event["count"]) ?? 0) === 0),
    ...unset("source", textOf(component) === "" && textOf(host) === ""),
  ];
}

function seriesErrors({ series }: JsonObject): FieldError[] {
  if (series === undefined) return [];
  const { count, lastObservedTime } = fieldsOf(series);
  return [
    ...((numberOf(count) ?? 0) < 2 ? [invalid("series.count", "", "should be at least 2")] : []),
    ...(isSet(lastObservedTime) ? [] : [required("series.lastObservedTime")]),
  ];
}

type Shown = (value: JsonValue | undefined) => unknown;

const asIs: Shown = (value) => value ?? null;
const asText: Shown = (value) => value ?? "";
const asObject: Shown = (value) => (value === undefined ? null : shownPart("ObjectReference", fieldsOf(value)));

/** In the order in which they are told; one of them is told twice. */
const settled: readonly (readonly [name: string, shown: Shown])[] = [
  ["involvedObject", (value) => shownPart("ObjectReference", fieldsOf(value))],
  ["reason", asText],
  ["message", asText],
  ["source", (value) => shownPart("EventSource", fieldsOf(value))],
  ["firstTimestamp", asIs],
  ["lastTimestamp", asIs],
  ["count", (value) => value ?? 0],
  ["reason", asText],
  ["type", asText],
  ["eventTime", asIs],
  ["action", asText],
  ["related", asObject],
  ["reportingController", asText],
  ["reportingInstance", asText],
];

/** What happened does not change; how often it did may. */
function settledErrors(event: JsonObject, before: JsonObject): FieldError[] {
  return settled
    .filter(([name]) => !sameValue(name, event[name], before[name]))
    .map(([name, shown]) => invalid(name, shown(event[name]), "field is immutable"));
}

function sameValue(name: string, now: JsonValue | undefined, before: JsonValue | undefined): boolean {
  if (name !== "eventTime") return sameJson(now ?? null, before ?? null);
  return timeOf(now) === timeOf(before);
}

function timeOf(value: JsonValue | undefined): number | undefined {
  return isSet(value) ? parseTime(textOf(value)) : undefined;
}

function isSet(value: JsonValue | undefined): boolean {
  return textOf(value) !== "";
}
