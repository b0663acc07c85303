import { builtInKind, type JsonObject, type JsonValue } from "@stowage/machinery/apply";
import { load, YAMLException } from "js-yaml";
import { badRequest, unsupportedMediaType } from "../../answers/index.ts";
import { typeName } from "../../protobuf/index.ts";
import { GoDecoder, isFields, type Strategy, textOf } from "../../strategies/index.ts";
import type { ApiRequest } from "../api-request.ts";
import { mostLevels, scanJson } from "./json-scan.ts";
import type { FieldValidation } from "./write-options.ts";
import { isExcessivelyAliased } from "./yaml-expansion.ts";

export interface SentObject {
  readonly object: JsonObject;
  readonly warnings: readonly string[];
}

interface ParsedBody {
  readonly value: JsonValue;
  readonly duplicates: readonly string[];
  /** See `scanJson`. */
  readonly oddNumbers?: ReadonlyMap<string, string>;
}

/** The object that a create or an update brings. Throws when it is no object of the kind. */
export function sentObject(strategy: Strategy, request: ApiRequest, validation: FieldValidation): SentObject {
  checkBodyType(request);
  const body = request.body ?? "";
  const parsed = parsedObject(request);
  if (typeof parsed === "string") throw unrecognized(strategy, parsed, body);
  const { duplicates, oddNumbers } = parsed;
  const value = parsed.value ?? {};
  const problem = typeProblem(value);
  if (problem !== undefined) throw unrecognized(strategy, problem, body);
  const typed = typedObject(strategy, value as JsonObject, body);
  const read = strategy.read(typed, oddNumbers && { oddNumbers });
  if (read.problem !== undefined) throw cannotHandle(strategy, typed, read.problem);
  const errors = strictErrors(duplicates, read.unknownFields);
  if (errors.length === 0 || validation === "Ignore") return { object: read.object, warnings: [] };
  if (validation === "Warn") return { object: read.object, warnings: errors };
  throw cannotHandle(strategy, typed, strictText(errors));
}

const bodyTypes = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];

/** Throws when nothing can read a body of that type. */
export function checkBodyType({ contentType = "" }: ApiRequest): void {
  const type = contentType.split(";")[0]?.trim() ?? "";
  if (type !== "" && !bodyTypes.includes(type)) throw unsupportedMediaType(bodyTypes);
}

const noType = "couldn't get version/kind; json parse error: json: cannot unmarshal";

/** Why it cannot be told what a value is, in the words of the real server. */
export function typeProblem(value: JsonValue): string | undefined {
  if (!isFields(value)) {
    const tags = String.raw`{ APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
    return `${noType} ${jsonKind(value)} into Go value of type struct ${tags}`;
  }
  for (const name of ["apiVersion", "kind"]) {
    const field = value[name] ?? "";
    if (typeof field !== "string") return `${noType} ${jsonKind(field)} into Go struct field .${name} of type string`;
  }
  const version = textOf(value["apiVersion"]);
  return version.split("/").length > 2 ? `unexpected GroupVersion string: ${version}` : undefined;
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

/** The same for an object, whose kind is looked for first. */
export function parsedObject(request: ApiRequest): ParsedBody | string {
  const parsed = parsedBody(request);
  if (typeof parsed !== "string" || isYaml(request)) return parsed;
  return `couldn't get version/kind; json parse error: ${parsed}`;
}

function isYaml({ contentType = "" }: ApiRequest): boolean {
  return contentType.split(";")[0]?.endsWith("yaml") === true;
}

/** A text says why it cannot be read. */
export function parsedBody(request: ApiRequest): ParsedBody | string {
  const { body = "" } = request;
  if (isYaml(request)) return parsedYaml(body);
  const { problem, duplicates, oddNumbers } = scanJson(body);
  return problem ?? { value: jsonOf(body), duplicates, oddNumbers };
}

/** Half a character is none for Go, and becomes the sign for that. */
function jsonOf(body: string): JsonValue {
  const value = JSON.parse(body) as JsonValue;
  return /\\u[dD][89a-fA-F]/u.test(body) ? wellFormed(value) : value;
}

function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name.toWellFormed(), wellFormed(each)]));
}

function parsedYaml(body: string): ParsedBody | string {
  if (body.trim() === "") return { value: null, duplicates: [] };
  try {
    const read = load(body, { maxDepth: mostLevels }) ?? null;
    if (isExcessivelyAliased(read)) return "yaml: document contains excessive aliasing";
    // Through JSON, so that what only YAML has (dates, undefined) becomes what JSON has.
    const value = JSON.parse(JSON.stringify(read)) as JsonValue;
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
  const problem = kindProblem(strategy, typed);
  if (problem === undefined) return typed;
  if (typed.kind === kind && sharesVersions(typed.apiVersion, expected)) throw wrongVersion(sentVersion, expected);
  throw cannotHandle(strategy, typed, problem);
}

/** Why an object cannot be one of a built-in kind. What it does not say is taken from the path. */
export function kindProblem(strategy: Strategy, object: JsonObject): string | undefined {
  const { group, version, kind } = strategy;
  const expected = group === "" ? version : `${group}/${version}`;
  const apiVersion = textOf(object["apiVersion"]) || expected;
  const own = textOf(object["kind"]) || kind;
  return apiVersion === expected && own === kind
    ? undefined
    : unknownConversion({ ...object, apiVersion, kind: own }, strategy);
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

/** What the types of all groups have in common. */
const metaKinds: ReadonlySet<string> = new Set([
  "Status",
  "DeleteOptions",
  "CreateOptions",
  "UpdateOptions",
  "PatchOptions",
  "ListOptions",
  "WatchEvent",
]);

/** What is of another kind is read as that first, which may not work either. */
function unknownConversion(object: JsonObject, wanted: Strategy): string {
  const [version, name] = [textOf(object["apiVersion"]), textOf(object["kind"])];
  const isKnown = metaKinds.has(name) || builtInKind(version, name.replace(/List$/u, "")) !== undefined;
  if (isKnown) {
    const decoder = new GoDecoder();
    decoder.struct(typeName(version, name), object);
    if (decoder.problem !== undefined) return decoder.problem;
    const internal = wanted.group === "" ? "core" : wanted.group.split(".")[0];
    return `converting (${version.split("/").at(-1)}.${name}) to (${internal}.${wanted.kind}): unknown conversion`;
  }
  const scheme = "pkg/api/legacyscheme/scheme.go:30";
  return `no kind "${name}" is registered for version "${version}" in scheme "${scheme}"`;
}

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
