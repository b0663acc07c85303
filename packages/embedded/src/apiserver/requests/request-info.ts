/** What a request asks for, as authorization, audit and routing see it. */
export type RequestInfo = ResourceRequest | PathRequest;

export interface ResourceRequest {
  readonly isResource: true;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  /** Plural. */
  readonly resource: string;
  readonly subresource: string | undefined;
  /** Undefined at the cluster's scope, and of a list over all namespaces. */
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  /** The one that a list or a watch selects, when it can be no other: rights to it are rights to that. */
  readonly selectedName?: string;
  /** Of what is about many objects; as it was written. */
  readonly fieldSelector?: string;
  /** After the subresource, of those that pass requests on: `proxy/…`. */
  readonly rest: readonly string[];
}

export interface PathRequest {
  readonly isResource: false;
  /** The method in small letters. */
  readonly verb: string;
  readonly path: string;
}

const verbs: Readonly<Record<string, string>> = {
  GET: "get",
  HEAD: "get",
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** Of a namespace's own, and not something in it. */
const namespaceSubresources: ReadonlySet<string> = new Set(["status", "finalize"]);

export function requestInfo(method: string, url: URL): RequestInfo {
  const segments = decodedSegments(url.pathname);
  const place = segments && placeOf(segments);
  if (place === undefined) return { isResource: false, verb: method.toLowerCase(), path: decodedPath(url) };
  const { group, version } = place;
  const [first, ...others] = place.rest;
  // As watches were asked for before there was a parameter for it.
  const isOldWatch = first === "watch" && others.length > 0;
  const target = targetOf(isOldWatch ? others : place.rest);
  const verb = isOldWatch ? "watch" : verbOf(method, url.searchParams, target);
  return { isResource: true, verb, group, version, ...target, ...(target.name === undefined && selectionIn(url)) };
}

interface Place {
  readonly group: string;
  readonly version: string;
  readonly rest: readonly string[];
}

/** Undefined for discovery and everything that is no API path. */
function placeOf(segments: readonly string[]): Place | undefined {
  const [root, ...rest] = segments;
  if (root === "api") {
    const [version, ...after] = rest;
    return version === undefined || after.length === 0 ? undefined : { group: "", version, rest: after };
  }
  if (root !== "apis") return undefined;
  const [group, version, ...after] = rest;
  return group === undefined || version === undefined || after.length === 0
    ? undefined
    : { group, version, rest: after };
}

/** What Go reads of a query: parameters that are not written well are as good as not there. */
export function requestQuery({ search }: URL): URLSearchParams {
  const written = search.slice(1).split("&");
  return new URLSearchParams(written.filter((each) => !/;|%(?![0-9a-fA-F]{2})/u.test(each)).join("&"));
}

function selectionIn(url: URL): Pick<ResourceRequest, "fieldSelector" | "selectedName"> {
  const fieldSelector = requestQuery(url).get("fieldSelector");
  if (fieldSelector === null) return {};
  const selectedName = selectedNameIn(fieldSelector);
  return { fieldSelector, ...(selectedName !== undefined && { selectedName }) };
}

function selectedNameIn(fieldSelector: string): string | undefined {
  const names = fieldSelector.split(",").map((each) => /^metadata\.name==?([^=!]+)$/u.exec(each.trim())?.[1]);
  return names.find((name) => name !== undefined);
}

function decodedPath({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

type Target = Pick<ResourceRequest, "resource" | "subresource" | "namespace" | "name" | "rest">;

function targetOf(segments: readonly string[]): Target {
  const [first = "", second, third] = segments;
  const isWithin = first === "namespaces" && third !== undefined && !namespaceSubresources.has(third);
  if (isWithin) {
    const [resource = "", name, subresource, ...rest] = segments.slice(2);
    return { resource, name, subresource, namespace: second, rest };
  }
  const [resource = "", name, subresource, ...rest] = segments;
  // A namespace is in itself, for those who may act there.
  const namespace = resource === "namespaces" ? name : undefined;
  return { resource, name, subresource, namespace, rest };
}

function verbOf(method: string, query: URLSearchParams, { name }: Pick<Target, "name">): string {
  const verb = verbs[method] ?? "";
  if (name !== undefined) return verb;
  if (verb === "delete") return "deletecollection";
  if (verb !== "get") return verb;
  return isTrue(query.get("watch")) ? "watch" : "list";
}

/** As Go reads a flag: the parameter alone means yes. */
function isTrue(value: string | null): boolean {
  return value !== null && value !== "0" && value.toLowerCase() !== "false";
}

/** Undefined when one of them is not valid UTF-8, which no name is. What is encoded counts, slashes too, as it does for Go. */
function decodedSegments(path: string): string[] | undefined {
  try {
    const trimmed = decodeURIComponent(path).replaceAll(/^\/+|\/+$/gu, "");
    return trimmed === "" ? [] : trimmed.split("/");
  } catch {
    return undefined;
  }
}
