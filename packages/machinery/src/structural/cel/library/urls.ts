import { goQuote } from "../../../go-text/index.ts";
import { type ParsedUrl, parseUrl } from "../../values/url-parsing.ts";
import { CelError } from "../cel-error.ts";
import { CelOpaque, type CelValue, PlainList, PlainMap } from "../cel-value.ts";
import { fn, method, type Overload } from "./overload.ts";

class CelUrl extends CelOpaque {
  readonly typeName = "kubernetes.URL";
  readonly text: string;
  readonly parsed: ParsedUrl;

  constructor(text: string, parsed: ParsedUrl) {
    super();
    this.text = text;
    this.parsed = parsed;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelUrl && other.text === this.text;
  }
}

export const urlOverloads: readonly Overload[] = [
  fn<[string]>("url", "string", "kubernetes.URL", ([text]) => {
    const parsed = parseUrl(text, true);
    if (parsed === undefined)
      throw new CelError(`URL parse error during conversion from string: parse ${goQuote(text)}: ${problemOf(text)}`);
    return new CelUrl(text, parsed);
  }),
  fn<[string]>("isURL", "string", "bool", ([text]) => parseUrl(text, true) !== undefined),
  method<[CelUrl]>("getScheme", "kubernetes.URL", "string", ([{ parsed }]) => parsed.scheme),
  method<[CelUrl]>("getHost", "kubernetes.URL", "string", ([{ parsed }]) => parsed.host),
  method<[CelUrl]>("getHostname", "kubernetes.URL", "string", ([{ parsed }]) => parsed.hostname),
  method<[CelUrl]>("getPort", "kubernetes.URL", "string", ([{ parsed }]) => parsed.port),
  method<[CelUrl]>("getEscapedPath", "kubernetes.URL", "string", ([{ parsed }]) => parsed.path),
  method<[CelUrl]>("getQuery", "kubernetes.URL", "map<string, list<string>>", ([{ parsed }]) => queryOf(parsed.query)),
];

function problemOf(text: string): string {
  return text === "" ? "empty url" : "invalid URI for request";
}

function queryOf(query: string): PlainMap {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const known = values.get(name) ?? [];
    values.set(name, [...known, value]);
  }
  return new PlainMap([...values].map(([name, list]) => [name, new PlainList(list)]));
}
