import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "@stowage/machinery";
import { accepts } from "../accepted-form.ts";
import { type DocumentRequest, emptyAnswer, type PathAnswer } from "../path-answer.ts";
import type { HashedDocument, OpenApiDocuments, SwaggerForm } from "./openapi-documents.ts";

export interface OpenApiDeps {
  readonly openApi: OpenApiDocuments;
  readonly clock: Clock;
}

const json = "application/json";
const root = "/openapi/v3";
const swaggerPath = "/openapi/v2";
const yearMs = 365 * 24 * 3600 * 1000;

/** Makes what the answer is going to need, in turns with other requests. */
export async function prepareOpenApi({ openApi }: OpenApiDeps, request: DocumentRequest): Promise<void> {
  for (const _ of stepsOf(openApi, request)) await turn();
}

function stepsOf(openApi: OpenApiDocuments, request: DocumentRequest): Iterable<void> {
  const { pathname } = request.url;
  if (pathname === root) return openApi.indexSteps();
  const form = pathname === swaggerPath ? swaggerForm(request) : undefined;
  return form === undefined ? [] : openApi.swaggerSteps(form);
}

/** `/openapi/v2`, `/openapi/v3` and what is below it; undefined of any other path. */
export function openApiAnswer(deps: OpenApiDeps, request: DocumentRequest): PathAnswer | undefined {
  const { pathname } = request.url;
  if (pathname === root) return indexAnswer(deps.openApi);
  if (pathname.startsWith(`${root}/`)) return documentAnswer(deps, request, pathname.slice(root.length + 1));
  return pathname === swaggerPath ? swaggerAnswer(deps.openApi, request) : undefined;
}

function indexAnswer(openApi: OpenApiDocuments): PathAnswer {
  const paths = [...openApi.index()].map(([path, hash]) => {
    return [path, { serverRelativeURL: `${root}/${path}?hash=${hash}` }] as const;
  });
  const headers = { "cache-control": "no-cache, private", "content-type": "text/plain; charset=utf-8" };
  return { code: 200, headers, body: JSON.stringify({ paths: Object.fromEntries(paths) }) };
}

/** Whoever names the right hash may keep the document for good: another one would have another hash. */
function documentAnswer({ openApi, clock }: OpenApiDeps, request: DocumentRequest, path: string): PathAnswer {
  const document = openApi.document(path);
  if (document === undefined) return emptyAnswer(404);
  if (!accepts(request.header("accept"), json)) return emptyAnswer(406, { vary: "Accept" });
  const { hash } = document;
  const asked = request.url.searchParams.get("hash") ?? "";
  if (asked !== "" && asked !== hash) {
    const location = `${root}/${path}?hash=${hash}`;
    return emptyAnswer(301, { etag: `"${hash}"`, vary: "Accept", location, "content-type": json });
  }
  const expires = new Date(clock.nowMs() + yearMs).toUTCString().replace("GMT", "UTC");
  const lasting = asked !== "" && { "cache-control": "public, immutable", expires };
  return taggedAnswer(request, document, { vary: "Accept", ...lasting });
}

const protobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
/** As clients write it: an `@` is not allowed in the name of a type, and so the server writes it otherwise. */
const askedProtobuf = [protobuf, "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"];

const swaggerTypes: Readonly<Record<SwaggerForm, string>> = { json, protobuf };

/** Undefined when the client takes none that there is. */
function swaggerForm(request: DocumentRequest): SwaggerForm | undefined {
  const accept = request.header("accept");
  if (accepts(accept, json)) return "json";
  return askedProtobuf.some((type) => accepts(accept, type)) ? "protobuf" : undefined;
}

function swaggerAnswer(openApi: OpenApiDocuments, request: DocumentRequest): PathAnswer {
  const vary = ["Accept-Encoding", "Accept"];
  const form = swaggerForm(request);
  if (form === undefined) return emptyAnswer(406, { vary });
  return taggedAnswer(request, openApi.swagger(form), { "content-type": swaggerTypes[form], vary });
}

function taggedAnswer(
  request: DocumentRequest,
  { body, hash }: HashedDocument<string | Uint8Array>,
  more: PathAnswer["headers"],
): PathAnswer {
  const etag = `"${hash}"`;
  const { "content-type": type = json, ...others } = more;
  const headers = { "cache-control": "no-cache, private", ...others, etag };
  if (request.header("if-none-match") === etag) return emptyAnswer(304, headers);
  return { code: 200, headers: { ...headers, "content-type": type }, body };
}
