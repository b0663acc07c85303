import type { IncomingMessage, ServerResponse } from "node:http";
import type { TLSSocket } from "node:tls";
import type { Clock, Logger, UserInfo } from "@stowage/machinery";
import { bearerToken } from "./authentication/bearer-token.ts";
import { certificateUser } from "./authentication/client-certificate.ts";
import type { TokenAuthenticator } from "./authentication/token-reviews.ts";
import type { Authorizer } from "./authorization/access-reviews.ts";
import type { AuthorizationConfig } from "./authorization/authorization-config.ts";
import { type RequestAttributes, requestAttributes } from "./authorization/request-attributes.ts";
import type { PathPattern } from "./path-pattern.ts";
import type { RbacProxySettings } from "./proxy-settings.ts";
import { refuse } from "./refusal.ts";
import { cleanPath, parseTarget, type RequestTarget } from "./request-target.ts";
import { type ClientExchange, forward } from "./upstream/forward.ts";
import { upstreamHeaders } from "./upstream/forwarded-headers.ts";
import type { Upstream } from "./upstream/upstream.ts";

export interface RequestHandlerDeps {
  readonly authenticate: TokenAuthenticator;
  readonly authorize: Authorizer;
  readonly authorization: AuthorizationConfig;
  readonly allowPaths: readonly PathPattern[];
  readonly ignorePaths: readonly PathPattern[];
  readonly identityHeaders: RbacProxySettings["identityHeaders"];
  readonly upstream: Upstream;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Exchange extends ClientExchange {
  readonly target: RequestTarget;
}

/** Who may have what: paths first, then who is asking, then whether they may. */
export async function handleRequest(
  deps: RequestHandlerDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = parseTarget(request.url ?? "");
  if (target === undefined) return refuse(response, 400, "Bad Request: the path cannot be read");
  const path = cleanPath(target.path);
  if (path !== target.path) return redirect(response, path, target.query);
  const isAmong = (patterns: readonly PathPattern[]) => patterns.some((matches) => matches(path));
  if (deps.allowPaths.length > 0 && !isAmong(deps.allowPaths)) return refuse(response, 404, "404 page not found");
  const exchange = { request, response, target, closed: closedSignal(response) };
  if (isAmong(deps.ignorePaths)) return passOn(deps, exchange, undefined);
  const user = await authenticated(deps, exchange);
  if (user !== undefined && (await isAuthorized(deps, exchange, user))) await passOn(deps, exchange, user);
}

function closedSignal(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  return closed.signal;
}

function redirect(response: ServerResponse, path: string, query: string): void {
  const location = path.split("/").map(encodeURIComponent).join("/") + (query === "" ? "" : `?${query}`);
  refuse(response, 307, "The path is written otherwise", { location });
}

/** Undefined when the request has been answered with why not. */
async function authenticated(deps: RequestHandlerDeps, { request, response }: Exchange): Promise<UserInfo | undefined> {
  const byCertificate = certificateUser(request.socket as Partial<TLSSocket>, deps.clock.nowMs());
  if (byCertificate !== undefined) return byCertificate;
  const token = bearerToken(request.headers.authorization);
  let problem = "no bearer token and no client certificate of a trusted authority";
  if (token !== undefined) {
    try {
      const user = await deps.authenticate(token);
      if (user !== undefined) return user;
      problem = "the bearer token is not valid here";
    } catch (error) {
      deps.logger.error({ error }, "the API server could not be asked whose a token is");
      problem = "the API server could not be asked whose the bearer token is";
    }
  }
  refuse(response, 401, `Unauthorized: ${problem}`, { "www-authenticate": "Bearer" });
  return undefined;
}

/** False when the request has been answered with why not. */
async function isAuthorized(deps: RequestHandlerDeps, exchange: Exchange, user: UserInfo): Promise<boolean> {
  const { request, response, target } = exchange;
  const { method = "", headers } = request;
  const wanted = requestAttributes(deps.authorization, { method, headers, path: target.path, query: target.query });
  if (wanted.length === 0) {
    refuse(response, 400, "Bad Request: the parameter or header that says what is asked for is missing");
    return false;
  }
  for (const attributes of wanted) {
    const details = describe(user, attributes);
    try {
      if (await deps.authorize(user, attributes)) continue;
      deps.logger.debug({ request: details }, "forbidden");
      refuse(response, 403, `Forbidden (${details})`);
    } catch (error) {
      deps.logger.error({ request: details, error }, "the API server could not be asked what a user may do");
      refuse(response, 500, `Authorization error (${details})`);
    }
    return false;
  }
  return true;
}

function describe(
  { username = "" }: UserInfo,
  { resourceAttributes, nonResourceAttributes }: RequestAttributes,
): string {
  const what =
    resourceAttributes === undefined
      ? `verb=${nonResourceAttributes?.verb ?? ""}, path=${nonResourceAttributes?.path ?? ""}`
      : ["verb", "namespace", "resource", "subresource"]
          .map((name) => `${name}=${resourceAttributes[name as "verb"] ?? ""}`)
          .join(", ");
  return `user=${username}, ${what}`;
}

function passOn(deps: RequestHandlerDeps, exchange: Exchange, user: UserInfo | undefined): Promise<void> {
  const { request, target } = exchange;
  const headers = upstreamHeaders({
    raw: request.rawHeaders,
    clientAddress: request.socket.remoteAddress,
    host: request.headers.host ?? (request.headers[":authority"] as string | undefined),
    identity: identityOf(deps.identityHeaders, user),
  });
  const path = target.query === "" ? target.rawPath : `${target.rawPath}?${target.query}`;
  return forward(deps, exchange, { method: request.method ?? "GET", path, headers });
}

function identityOf(names: RbacProxySettings["identityHeaders"], user: UserInfo | undefined) {
  if (names === undefined) return {};
  return { [names.user]: user?.username, [names.groups]: user?.groups?.join(names.separator) };
}
