import {
  openIdConfiguration,
  openIdConfigurationPath,
  openIdHeaders,
  openIdKeys,
  openIdKeysPath,
  type TokenKey,
} from "../access/index.ts";
import { methodNotSupported, routeNotFound } from "../answers/index.ts";
import { refuseUnlessAccepted } from "./accepted-form.ts";
import { discoveryAnswer } from "./discovery-answers.ts";
import { type HealthDeps, healthAnswer, healthPaths } from "./health-checks.ts";
import { type MetricsDeps, metricsAnswer } from "./metrics-text.ts";
import { type OpenApiDeps, openApiAnswer } from "./openapi/index.ts";
import { type DocumentRequest, indentedAnswer, type PathAnswer, pageNotFound } from "./path-answer.ts";
import { rootDocument } from "./root-paths.ts";
import { versionDocument } from "./server-version.ts";

export interface DocumentDeps extends HealthDeps, MetricsDeps, OpenApiDeps {
  /** Of tokens of service accounts. */
  readonly issuer: string;
  readonly tokenKeys: readonly TokenKey[];
}

/** Answers a request for what is no resource. Throws an ApiError where the real server refuses with a Status. */
export function pathDocument(deps: DocumentDeps, request: DocumentRequest): PathAnswer {
  return (
    fixedAnswer(deps, request) ??
    healthAnswer(deps, request) ??
    discoveryAnswer(deps.registry, request) ??
    openApiAnswer(deps, request) ??
    pageNotFound()
  );
}

function fixedAnswer(deps: DocumentDeps, request: DocumentRequest): PathAnswer | undefined {
  const path = request.url.pathname;
  if (path === "/") return indentedAnswer(rootDocument(deps.registry, healthPaths(deps)));
  if (path === "/metrics") return metricsAnswer(deps);
  // The rest is of another part of the real server, which has all that is below such a path, and knows nothing of it.
  const root = [...services.keys()].find((each) => path === each || path.startsWith(`${each}/`));
  if (root === undefined) return undefined;
  if (path.length > root.length + 1) throw routeNotFound();
  return services.get(root)?.(deps, request);
}

type Service = (deps: DocumentDeps, request: DocumentRequest) => PathAnswer;

const services: ReadonlyMap<string, Service> = new Map<string, Service>([
  [
    "/version",
    (_, request) => {
      requireGet(request, "application/json");
      return indentedAnswer(versionDocument());
    },
  ],
  [
    openIdConfigurationPath,
    ({ issuer, tokenKeys: keys }, request) => {
      requireGet(request, "application/json");
      const keysUrl = `https://${request.host}${openIdKeysPath}`;
      return openIdAnswer("configuration", openIdConfiguration({ issuer, keysUrl, keys }));
    },
  ],
  [
    openIdKeysPath,
    ({ tokenKeys }, request) => {
      requireGet(request, "application/jwk-set+json");
      return openIdAnswer("keys", openIdKeys(tokenKeys));
    },
  ],
]);

function requireGet(request: DocumentRequest, type: string): void {
  if (request.method !== "GET") throw methodNotSupported();
  refuseUnlessAccepted(request.header("accept"), [type]);
}

function openIdAnswer(which: keyof typeof openIdHeaders, body: string): PathAnswer {
  const { "Content-Type": type, "Cache-Control": cache } = openIdHeaders[which];
  return { code: 200, headers: { "content-type": type, "cache-control": cache }, body };
}
