import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { load, YAMLException } from "js-yaml";
import { badRequest } from "../../answers/index.ts";
import { isFields, type Strategy, textOf } from "../../strategies/index.ts";
import type { ApiRequest } from "../api-request.ts";
import { scanJson } from "./json-scan.ts";
import type { FieldValidation } from "./write-options.ts";

export interface SentObject {
  readonly object: JsonObject;
  readonly warnings: readonly string[];
}

interface ParsedBody {
  readonly value: JsonValue;
  readonly duplicates: readonly string[];
}

/** The object that a create or an update brings. Throws when it is no object of the kind. */
export function sentObject(strategy: Strategy, request: ApiRequest, validation: FieldValidation): SentObject {
  const body = request.body ?? "";
  const parsed = parsedBody(request);
  if (typeof parsed === "string")
    throw unrecognized(strategy, `couldn't get version/kind; json parse error: ${parsed}`, body);
  const { value, duplicates } = parsed;
  if (!isFields(value)) {
    const why = `json: cannot unmarshal ${jsonKind(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
    throw unrecognized(strategy, `couldn't get version/kind; json parse error: ${why}`, body);
  }
  const typed = typedObject(strategy, value, body);
  const read = strategy.read(typed);
  if (read.problem !== undefined) throw cannotHandle(strategy, typed, read.problem);
  const errors = strictErrors(duplicates, read.unknownFields);
  if (errors.length === 0 || validation === "Ignore") return { object: read.object, warnings: [] };
  if (validation === "Warn") return { object: read.object, warnings: errors };
  throw cannotHandle(strategy, typed, strictText(errors));
}

export function strictErrors(duplicates: readonly string[], unknownFields: readonly string[]): string[] {
  return [
    ...duplicates.map((path) => `duplicate field "${path}"`),
    ...unknownFields.map((path) => `unknown field "${path}"`),
  ];
}

export function strictText(errors: readonly string[]): string {
  return `strict decoding error: ${errors.join(", ")}`;
}

/** A text says why it cannot be read. */
export function parsedBody({ body = "", contentType = "" }: ApiRequest): ParsedBody | string {
  if (contentType.split(";")[0]?.endsWith("yaml")) return parsedYaml(body);
  const { problem, duplicates } = scanJson(body);
  return problem ?? { value: JSON.parse(body) as JsonValue, duplicates };
}

function parsedYaml(body: string): ParsedBody | string {
  try {
    // Through JSON, so that what only YAML has (dates, undefined) becomes what JSON has.
    const value = JSON.parse(JSON.stringify(load(body) ?? null)) as JsonValue;
    return { value, duplicates: [] };
  } catch (error) {
    if (error instanceof YAMLException) return `yaml: ${error.reason}`;
    throw error;
  }
}

/** With the version and kind that the path tells, where the object does not say them. */
function typedObject(strategy: Strategy, value: JsonObject, body: string): JsonObject {
  const { group, version, kind } = strategy;
  const expected = group === "" ? version : `${group}/${version}`;
  const [sentVersion, sentKind] = [textOf(value["apiVersion"]), textOf(value["kind"])];
  if (strategy.isCustom) {
    if (sentKind === "") throw unrecognized(strategy, `Object 'Kind' is missing in '${body}'`, body);
    if (sentVersion !== expected) throw wrongVersion(sentVersion, expected);
    return value;
  }
  const typed = { ...value, apiVersion: sentVersion || expected, kind: sentKind || kind };
  if (typed.apiVersion === expected && typed.kind === kind) return typed;
  if (typed.kind === kind && sharesVersions(typed.apiVersion, expected)) throw wrongVersion(sentVersion, expected);
  throw cannotHandle(strategy, typed, unknownConversion(typed, strategy));
}

/** Versions of one kind that the real server serves, beside the one that is asked for. */
const sharedVersions: readonly (readonly string[])[] = [
  ["v1", "events.k8s.io/v1"],
  ["autoscaling/v1", "autoscaling/v2"],
];

function sharesVersions(a: string, b: string): boolean {
  return sharedVersions.some((versions) => versions.includes(a) && versions.includes(b));
}

function wrongVersion(sent: string, expected: string) {
  return badRequest(`the API version in the data (${sent}) does not match the expected API version (${expected})`);
}

function unknownConversion({ apiVersion, kind }: JsonObject, wanted: Strategy): string {
  const isCore = apiVersion === "v1" && wanted.group === "";
  if (isCore && coreKinds.has(textOf(kind))) {
    return `converting (v1.${textOf(kind)}) to (core.${wanted.kind}): unknown conversion`;
  }
  const scheme = "pkg/api/legacyscheme/scheme.go:30";
  return `no kind "${textOf(kind)}" is registered for version "${textOf(apiVersion)}" in scheme "${scheme}"`;
}

const coreKinds: ReadonlySet<string> = new Set([
  "ConfigMap",
  "Endpoints",
  "Event",
  "LimitRange",
  "Namespace",
  "Node",
  "PersistentVolume",
  "PersistentVolumeClaim",
  "Pod",
  "PodTemplate",
  "ReplicationController",
  "ResourceQuota",
  "Secret",
  "Service",
  "ServiceAccount",
]);

function cannotHandle(strategy: Strategy, { apiVersion, kind }: JsonObject, why: string) {
  const version = textOf(apiVersion).split("/").at(-1) ?? "";
  return badRequest(`${textOf(kind)} in version "${version}" cannot be handled as a ${strategy.kind}: ${why}`);
}

function unrecognized(strategy: Strategy, why: string, body: string) {
  return badRequest(
    `the object provided is unrecognized (must be of type ${strategy.kind}): ${why} (${summary(body)})`,
  );
}

const mostSummary = 30;

/** How the real server shows what it could not read: as text when it looks like JSON, else byte by byte. */
function summary(body: string): string {
  const bytes = Buffer.from(body);
  if (bytes.length === 0) return "<empty>";
  const shown = bytes.subarray(0, mostSummary).toString(body.startsWith("{") ? "utf8" : "hex");
  return bytes.length > mostSummary ? `${shown} ...` : shown;
}

export function jsonKind(value: JsonValue): string {
  if (typeof value === "boolean") return "bool";
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}
