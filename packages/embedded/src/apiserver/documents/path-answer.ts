/** A request for something that is no resource. */
export interface DocumentRequest {
  readonly method: string;
  readonly url: URL;
  /** The host that the client has named, with its port. */
  readonly host: string;
  /** By its name in small letters. */
  header(name: string): string | undefined;
}

export interface PathAnswer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array;
}

const uncached = { "cache-control": "no-cache, private" };

/** Laid out for people to read, as the real server sends the few that it writes so. */
export function indentedAnswer(document: object): PathAnswer {
  const headers = { ...uncached, "content-type": "application/json" };
  return { code: 200, headers, body: JSON.stringify(document, undefined, 2) };
}

export function textAnswer(code: number, body: string): PathAnswer {
  const headers = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
  return { code, headers: { ...uncached, ...headers }, body };
}

/** Of a path that nobody knows. */
export function pageNotFound(): PathAnswer {
  return textAnswer(404, "404 page not found\n");
}

export function emptyAnswer(code: number, headers: PathAnswer["headers"] = {}): PathAnswer {
  return { code, headers: { ...uncached, ...headers }, body: "" };
}
