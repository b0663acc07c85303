/** What a request asks for. */
export interface RequestTarget {
  /** Decoded: what rights and patterns are about. */
  readonly path: string;
  /** As it was sent: what the upstream gets. */
  readonly rawPath: string;
  /** Without the question mark, as it was sent. */
  readonly query: string;
}

/** Undefined for what is no path, or not one that two programs are sure to read alike. */
export function parseTarget(target: string): RequestTarget | undefined {
  const withoutServer = target.replace(/^https?:\/\/[^/?#]*/i, "");
  const [, rawPath = "", query = ""] = /^(\/[^?#]*)(?:\?([^#]*))?$/.exec(withoutServer) ?? [];
  const path = decoded(rawPath);
  return path === undefined || path === "" || unclear.test(path) ? undefined : { path, rawPath, query };
}

/** Control characters, and the backslash that some servers take for a slash. */
const unclear = /[\p{Cc}\\]/u;

function decoded(rawPath: string): string | undefined {
  try {
    return decodeURIComponent(rawPath);
  } catch {
    return undefined;
  }
}

/**
 * The same path without `.`, `..` and empty segments. A path that is written otherwise is not passed on: the upstream might take it for
 * another than the one that was allowed.
 */
export function cleanPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  const isFolder = segments.length > 0 && path.endsWith("/");
  return `/${segments.join("/")}${isFolder ? "/" : ""}`;
}
