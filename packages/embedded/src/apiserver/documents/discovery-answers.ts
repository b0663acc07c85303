import { createHash } from "node:crypto";
import { methodNotSupported, routeNotFound } from "../answers/index.ts";
import {
  groupDocument,
  groupListDocument,
  type ResourceRegistry,
  resourceListDocument,
  versionsDocument,
} from "../resources/index.ts";
import { encodingOf, isPrettyWish } from "../tables/index.ts";
import { documentForm, refuseUnlessAccepted } from "./accepted-form.ts";
import { aggregatedDocument } from "./aggregated-discovery.ts";
import { type DocumentRequest, emptyAnswer, type PathAnswer, pageNotFound } from "./path-answer.ts";

/** `/api` and `/apis` and what is below them; undefined of any other path. */
export function discoveryAnswer(registry: ResourceRegistry, request: DocumentRequest): PathAnswer | undefined {
  // One slash at the end is nothing; the root itself is no group.
  const segments = request.url.pathname.replace(/\/$/u, "").split("/").slice(1);
  const [root, first, second, ...rest] = segments;
  if (root === "api") {
    if (first === undefined) return coreAnswer(registry, request);
    return second === undefined ? versionAnswer(registry, request, { group: "", version: first }) : undefined;
  }
  if (root !== "apis") return undefined;
  if (first === undefined) return groupsAnswer(registry, request);
  if (second === undefined) return groupAnswer(registry, request, first);
  return rest.length === 0 ? versionAnswer(registry, request, { group: first, version: second }) : pageNotFound();
}

function coreAnswer(registry: ResourceRegistry, request: DocumentRequest): PathAnswer {
  if (request.method !== "GET") throw methodNotSupported();
  refuseUnlessAccepted(request.header("accept"));
  return documentAnswer(request, {
    plain: () => versionsDocument(request.host),
    aggregated: () => aggregatedDocument(registry, true),
  });
}

function groupsAnswer(registry: ResourceRegistry, request: DocumentRequest): PathAnswer {
  return documentAnswer(request, {
    plain: () => groupListDocument(registry),
    aggregated: () => aggregatedDocument(registry, false),
  });
}

function groupAnswer(registry: ResourceRegistry, request: DocumentRequest, group: string): PathAnswer {
  const document = groupDocument(registry, group);
  return document === undefined ? pageNotFound() : documentAnswer(request, { plain: () => document });
}

interface Place {
  readonly group: string;
  readonly version: string;
}

function versionAnswer(registry: ResourceRegistry, request: DocumentRequest, { group, version }: Place): PathAnswer {
  const served = registry.list().filter((each) => each.group === group);
  const isCustom = served.some(({ definition }) => definition !== undefined);
  const document = resourceListDocument(registry, { group, version });
  if (document === undefined) {
    if (served.length === 0 || isCustom) return pageNotFound();
    throw routeNotFound();
  }
  // Those of definitions are served by another part of the real server, which takes every method.
  if (!isCustom) {
    if (request.method !== "GET") throw methodNotSupported();
    refuseUnlessAccepted(request.header("accept"));
  }
  return documentAnswer(request, { plain: () => document });
}

interface Documents {
  plain(): object;
  aggregated?(): object;
}

function documentAnswer(request: DocumentRequest, { plain, aggregated }: Documents): PathAnswer {
  const form = documentForm(request.header("accept"), aggregated !== undefined);
  if (form === "aggregated" && aggregated !== undefined) return aggregatedAnswer(request, aggregated());
  const encoding = encodingOf(`application/${form}`, isPretty(request));
  const headers = { "cache-control": "no-cache, private", "content-type": encoding.contentType };
  return { code: 200, headers, body: encoding.encoded(JSON.stringify(plain())) };
}

/** Clients keep it, and ask whether it is still the same. */
function aggregatedAnswer(request: DocumentRequest, document: object): PathAnswer {
  const text = JSON.stringify(document);
  const etag = `"${createHash("sha512").update(text).digest("hex").toUpperCase()}"`;
  const headers = { etag, vary: "Accept", "cache-control": "public" };
  if (request.header("if-none-match") === etag) return emptyAnswer(304, headers);
  const type = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const body = encodingOf("application/json", isPretty(request)).encoded(text);
  return { code: 200, headers: { ...headers, "content-type": type }, body };
}

function isPretty(request: DocumentRequest): boolean {
  const userAgent = request.header("user-agent");
  return isPrettyWish({ accept: undefined, userAgent, query: request.url.searchParams });
}
