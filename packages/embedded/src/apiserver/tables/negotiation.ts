import type { Clock } from "@stowage/machinery";
import { goQuote } from "@stowage/machinery/structural";
import { ApiError, badRequest, notAcceptable } from "../answers/index.ts";
import { acceptedForms, refuseUnlessAccepted } from "../documents/accepted-form.ts";
import type { ServedResource } from "../resources/index.ts";
import { asServed, type FormOf, metadataForm } from "../verbs/index.ts";
import { type Encoding, encodingOf, isPrettyWish } from "./answer-encoding.ts";
import { asTable, type IncludedObject } from "./table-form.ts";

/** What a client asks for, and how it wants to hear of it. */
export interface OutputRequest {
  readonly accept: string | undefined;
  readonly userAgent: string | undefined;
  readonly query: URLSearchParams;
  readonly verb: string;
  readonly resource: ServedResource;
  readonly subresource: string | undefined;
}

/** What it gets: objects in a form, and texts in an encoding. */
export interface Output extends Encoding {
  readonly formOf: FormOf;
}

/** What the real server says it has. Of these, we send the first two. */
const allTypes = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
const streamTypes = ["application/json;stream=watch", "application/vnd.kubernetes.protobuf;stream=watch"];
const [json = "", yaml = ""] = allTypes;

/** The first of the client's wishes that can be met. Throws a refusal when there is none. */
export function outputFor(clock: Clock, request: OutputRequest): Output {
  const { accept, verb, resource } = request;
  if (resource.definition === undefined) refuseUnlessAccepted(accept, routedTypes(verb));
  const found = acceptedOutput(clock, request);
  if (found === undefined) throw notAcceptable(honestTypes(allTypes, accept));
  if (verb === "watch" && found.contentType !== json) throw notAcceptable(honestTypes(streamTypes, accept));
  return found;
}

/** Of built-in kinds, lists are on the same route as watches. */
function routedTypes(verb: string): string[] {
  return verb === "list" || verb === "watch" ? [...allTypes, ...streamTypes] : allTypes;
}

/** A client that takes nothing but protobuf is not told that it could have it. */
function honestTypes(types: readonly string[], accept = ""): readonly string[] {
  return accept.includes("protobuf") ? types.filter((type) => !type.includes("protobuf")) : types;
}

function acceptedOutput(clock: Clock, request: OutputRequest): Output | undefined {
  for (const { type, parameters } of acceptedForms(request.accept)) {
    const contentType = servedType(type);
    if (contentType === undefined || !hasKnownWishes(parameters)) continue;
    const conversion = conversionOf(parameters);
    if (conversion !== undefined && !isOffered(conversion, request)) continue;
    const formOf = conversion === undefined ? asServed : convertedForm(clock, conversion, request);
    return { formOf, ...encodingOf(contentType, parameters["pretty"] === "1" || isPrettyWish(request)) };
  }
  return undefined;
}

function servedType(type: string): string | undefined {
  if (type === yaml) return yaml;
  return [json, "application/*", "*/*"].includes(type) ? json : undefined;
}

type Parameters = Readonly<Record<string, string>>;

function hasKnownWishes({ stream = "", sv = "" }: Parameters): boolean {
  return (stream === "" || stream === "watch") && (sv === "" || sv === "v1");
}

interface Conversion {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
}

function conversionOf({ as, g, v }: Parameters): Conversion | undefined {
  if (as === undefined && g === undefined && v === undefined) return undefined;
  return { kind: as ?? "", group: g ?? "", version: v ?? "" };
}

/** Subresources that are objects, and can be rows of a table as such. */
const shownParts: readonly (string | undefined)[] = [undefined, "status", "scale", "approval", "finalize"];

function isOffered({ kind, group, version }: Conversion, { resource, subresource }: OutputRequest): boolean {
  if (group !== "meta.k8s.io" || (version !== "v1" && version !== "v1beta1")) return false;
  if (kind === "Table") return resource.verbs.includes("get") && shownParts.includes(subresource);
  return kind === "PartialObjectMetadata" || kind === "PartialObjectMetadataList";
}

/** What does not fit is found only when there is something to be converted; then, it is refused. */
function convertedForm(clock: Clock, { kind, version }: Conversion, { verb, query }: OutputRequest): FormOf {
  return (resource) => {
    if (kind === "Table") {
      return asTable({ clock, version, included: includedObject(query), isWatch: verb === "watch" })(resource);
    }
    if (kind === "PartialObjectMetadata" && verb === "list") throw unexpectedList(resource);
    if (kind === "PartialObjectMetadataList" && verb !== "list" && verb !== "watch") throw unexpectedObject(resource);
    return metadataForm(version);
  };
}

function includedObject(query: URLSearchParams): IncludedObject {
  const included = query.get("includeObject") || "Metadata";
  if (included === "None" || included === "Metadata" || included === "Object") return included;
  const why = `includeObject: Invalid value: ${goQuote(included)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: ${why}`);
}

function unexpectedList(resource: ServedResource): ApiError {
  const list = resource.definition === undefined ? `${goTypeOf(resource)}List` : "*unstructured.UnstructuredList";
  return refusal(`you requested PartialObjectMetadata, but the requested object is a list (${list})`);
}

function unexpectedObject(resource: ServedResource): ApiError {
  if (resource.definition !== undefined) return new ApiError(500, "", "content is not a list");
  return refusal(
    `you requested PartialObjectMetadataList, but the requested object is not a list (${goTypeOf(resource)})`,
  );
}

function refusal(message: string): ApiError {
  return new ApiError(406, "NotAcceptable", message);
}

/** Its name in the real server, which tells it to clients: `*core.Pod`. */
function goTypeOf({ group, kind }: ServedResource): string {
  const [name = ""] = group.split(".");
  return `*${name === "" || name === "events" ? "core" : name}.${kind}`;
}
