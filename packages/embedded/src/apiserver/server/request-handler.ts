import { randomUUID } from "node:crypto";
import { attributesOf, impersonatedUser } from "../access/index.ts";
import {
  ApiError,
  badRequest,
  internalError,
  methodNotSupported,
  routeNotFound,
  unauthorized,
} from "../answers/index.ts";
import { pageNotFound, pathDocument, prepareOpenApi } from "../documents/index.ts";
import {
  type Exchange,
  type HttpAnswer,
  maximumBodyBytes,
  type RequestHead,
  type Upgrade,
  writeAnswer,
} from "../http/index.ts";
import { isProtobuf, jsonOfProtobuf } from "../protobuf/index.ts";
import { type RequestInfo, type ResourceRequest, requestInfo, requestQuery } from "../requests/index.ts";
import { deprecationWarnings } from "../resources/index.ts";
import { connectSubresource, refuseUpgrade } from "../subresources/index.ts";
import { type Encoding, outputFor, refusalEncoding } from "../tables/index.ts";
import type { ApiAnswer, ApiRequest, ApiUser } from "../verbs/index.ts";
import { dispatch } from "./dispatch.ts";
import type { ServerParts } from "./server-parts.ts";

/** Answers every request: who is it, may they, what is it, and then does it. Never throws. */
export class RequestHandler {
  readonly #parts: ServerParts;

  constructor(parts: ServerParts) {
    this.#parts = parts;
  }

  async handle(exchange: Exchange): Promise<void> {
    try {
      const answer = await this.#answer(exchange);
      const sent = this.#parts.documents.meter.answering(exchange, answer.code);
      await writeAnswer(exchange, answer).finally(sent);
    } catch (error) {
      if (!exchange.gone.aborted) this.#parts.logger.warn({ error, path: exchange.url.pathname }, "answer not sent");
      exchange.outgoing.destroy();
    }
  }

  /** Connects a client that wants more than an answer. */
  async connect({ request: head, ...upgrade }: Upgrade): Promise<void> {
    const over = new AbortController();
    upgrade.socket.once("close", () => over.abort());
    try {
      const info = requestInfo(head.method, head.url);
      const user = this.#admitted(head, info);
      if (!info.isResource) throw routeNotFound();
      const request = { ...clientOf(head), info, user, body: undefined, contentType: undefined, signal: over.signal };
      await connectSubresource(this.#parts.subresources, request, upgrade);
    } catch (error) {
      refuseUpgrade(upgrade.socket, this.#refusal(error, head, over.signal));
    }
  }

  async #answer(exchange: Exchange): Promise<HttpAnswer> {
    try {
      const info = requestInfo(exchange.method, exchange.url);
      const user = this.#admitted(exchange, info);
      return info.isResource ? await this.#resource(exchange, info, user) : await this.#document(exchange);
    } catch (error) {
      return refusalAnswer(this.#refusal(error, exchange, exchange.gone), refusalEncoding(clientOf(exchange)));
    }
  }

  /** Who sends it, when they may. */
  #admitted(exchange: RequestHead, info: RequestInfo): ApiUser {
    const { authenticator, authorizer } = this.#parts;
    const { certificate, isWrong } = exchange.peer;
    const authorization = exchange.header("authorization");
    if (isWrong && authorization === undefined) throw unauthorized();
    const known = authenticator.authenticate({ certificate, authorization });
    const user = impersonatedUser(authorizer, known, exchange.headersWith("impersonate-"));
    const refusal = authorizer.refusal(attributesOf(user, info));
    if (refusal !== undefined) throw refusal;
    return user;
  }

  async #resource(exchange: Exchange, info: ResourceRequest, user: ApiUser): Promise<HttpAnswer> {
    const { clock, registry } = this.#parts;
    const resource = registry.find({ ...info, plural: info.resource });
    if (resource === undefined) {
      const isOurs = registry.list().some(({ group, definition }) => group === info.group && definition === undefined);
      if (isOurs) throw routeNotFound();
      // Of a group that nobody knows it is not for this server to speak.
      return pageNotFound();
    }
    if (exchange.method === "HEAD") throw methodNotSupported();
    const isMisplaced = resource.definition !== undefined && !resource.namespaced && info.namespace !== undefined;
    if (isMisplaced) return pageNotFound();
    const client = clientOf(exchange);
    const { verb, subresource } = info;
    const outdated = deprecationWarnings(resource);
    try {
      const output = outputFor(clock, { ...client, verb, resource, subresource });
      const request = { ...client, info, user, ...(await sentText(exchange)), signal: exchange.gone };
      const answer = await dispatch(this.#parts, request, output.formOf);
      return httpAnswer({ ...answer, warnings: [...outdated, ...(answer.warnings ?? [])] }, output);
    } catch (error) {
      return refusalAnswer(this.#refusal(error, exchange, exchange.gone), refusalEncoding(client), outdated);
    }
  }

  async #document(exchange: Exchange): Promise<HttpAnswer> {
    await prepareOpenApi(this.#parts.documents, exchange);
    const { code, headers, body } = pathDocument(this.#parts.documents, exchange);
    return { code, headers: { "audit-id": randomUUID(), ...headers }, body };
  }

  #refusal(error: unknown, head: RequestHead, gone: AbortSignal): ApiError {
    if (error instanceof ApiError) return error;
    // A client that goes away in the middle of its request is no error of ours.
    if (!gone.aborted) {
      this.#parts.logger.error({ error, method: head.method, path: head.url.pathname }, "request failed");
    }
    return internalError(error instanceof Error ? error.message : "unknown");
  }
}

/** The body as text, and what kind of text it is. What is no UTF-8 in it becomes the character for that, as Go does it. */
async function sentText(exchange: Exchange): Promise<Pick<ApiRequest, "body" | "contentType">> {
  const contentType = exchange.header("content-type");
  if (exchange.method === "GET" || exchange.method === "HEAD") return { body: undefined, contentType };
  const body = await exchange.body(maximumBodyBytes);
  if (body === undefined || !isProtobuf(contentType)) return { body: body?.toString("utf8"), contentType };
  const text = jsonOfProtobuf(body);
  if (text === undefined) throw badRequest("the object provided is unrecognized: it is no protobuf of a known kind");
  return { body: text, contentType: "application/json" };
}

function clientOf(exchange: RequestHead) {
  const [accept, userAgent] = [exchange.header("accept"), exchange.header("user-agent")];
  return { accept, userAgent, query: requestQuery(exchange.url) };
}

function httpAnswer({ code, body, contentType, warnings = [] }: ApiAnswer, encoding: Encoding): HttpAnswer {
  const isObject = typeof body === "string" && body !== "" && contentType === undefined;
  const typed = commonHeaders(contentType ?? encoding.contentType);
  const { "content-type": _, ...untyped } = typed;
  const headers = { ...(code === 204 ? untyped : typed), ...warningHeaders(warnings) };
  return { code, headers, body: isObject ? encoding.encoded(body) : body };
}

function refusalAnswer(
  { status, warnings }: ApiError,
  encoding: Encoding,
  outdated: readonly string[] = [],
): HttpAnswer {
  const retry = status.details?.retryAfterSeconds;
  const headers = commonHeaders(encoding.contentType);
  return {
    code: status.code,
    headers: {
      ...headers,
      ...warningHeaders([...outdated, ...warnings]),
      ...(retry !== undefined && { "retry-after": String(retry) }),
    },
    body: encoding.encoded(JSON.stringify(status)),
  };
}

function commonHeaders(contentType: string) {
  return { "audit-id": randomUUID(), "cache-control": "no-cache, private", "content-type": contentType };
}

function warningHeaders(warnings: readonly string[]) {
  return warnings.length > 0 && { warning: [...new Set(warnings)].map(warningHeader) };
}

/** As RFC 2616 writes them: 299 is for what is miscellaneous and lasts. */
function warningHeader(text: string): string {
  const printable = text
    .replaceAll(/[\p{Cc}]/gu, "")
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"');
  return `299 - "${Buffer.from(printable).toString("latin1")}"`;
}
