import { Regex } from "../../regex/regex.ts";
import { RegexSyntaxError } from "../../regex/regex-syntax.ts";
import { CelError } from "../cel-error.ts";

const mostCached = 200;
const cache = new Map<string, Regex>();

/** Patterns of rules are nearly always literals, so each is compiled once. */
export function cachedRegex(pattern: string, problemPrefix: string): Regex {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  try {
    const regex = new Regex(pattern);
    if (cache.size >= mostCached) cache.clear();
    cache.set(pattern, regex);
    return regex;
  } catch (error) {
    if (error instanceof RegexSyntaxError) throw new CelError(problemPrefix + error.message);
    throw error;
  }
}
