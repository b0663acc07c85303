/** One step of a path; each takes what the one before it found. */
export type PathStep =
  | { readonly type: "field"; readonly name: string }
  | { readonly type: "wildcard" | "recursive" | "identifier" }
  | { readonly type: "literal"; readonly value: string | number | boolean }
  | { readonly type: "slice"; readonly bounds: readonly (string | undefined)[] }
  | { readonly type: "union"; readonly paths: readonly JsonPathSteps[] }
  | { readonly type: "filter"; readonly left: JsonPathSteps; readonly right: JsonPathSteps; readonly operator: string };

export type JsonPathSteps = readonly PathStep[];

/** A path that cannot be read. */
export class JsonPathError extends Error {}

/** The language of `kubectl -o jsonpath`, for what is between its braces. Throws JsonPathError. */
export function parsedPath(text: string): JsonPathSteps {
  return new PathParser(text).steps();
}

const terminators = " \t\r\n.,[]$@{}";
const slicePattern = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const keyPattern = /^'([^']*)'$/;
const comparisonPattern = /^([^!<>=]+)([!<>=]+)(.+?)$/;

class PathParser {
  readonly #text: string;
  readonly #steps: PathStep[] = [];
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  steps(): JsonPathSteps {
    // What is after a closing brace is text beside the path, and no part of it.
    while (this.#position < this.#text.length && this.#text[this.#position] !== "}") this.#step();
    return this.#steps;
  }

  #step(): void {
    const rest = this.#text.slice(this.#position);
    if (rest.startsWith("[?(")) return this.#filter();
    if (rest.startsWith("..")) return this.#recursive();
    const character = rest.charAt(0);
    this.#position++;
    if (" @$".includes(character)) return;
    if (character === "[") return this.#brackets();
    if (character === '"' || character === "'") return this.#quoted(character);
    if (character === ".") return this.#field();
    this.#position--;
    if (/[+\-\d]/.test(character)) return this.#number();
    if (/[\p{L}_]/u.test(character)) return this.#identifier();
    throw new JsonPathError(`unrecognized character in action: ${character}`);
  }

  #recursive(): void {
    if (this.#steps.at(-1)?.type === "recursive") throw new JsonPathError("invalid multiple recursive descent");
    this.#position += 2;
    this.#steps.push({ type: "recursive" });
    if (/[\p{L}\p{N}_]/u.test(this.#text.charAt(this.#position))) this.#field();
  }

  #field(): void {
    const start = this.#position;
    while (this.#position < this.#text.length && !terminators.includes(this.#text.charAt(this.#position))) {
      this.#position += this.#text[this.#position] === "\\" ? 2 : 1;
    }
    const name = this.#text.slice(start, this.#position);
    this.#steps.push(name === "*" ? { type: "wildcard" } : { type: "field", name: name.replaceAll("\\", "") });
  }

  #number(): void {
    const [text = ""] = /^[+-]?[\d.]*/.exec(this.#text.slice(this.#position)) ?? [];
    const value = Number(text);
    if (text === "" || Number.isNaN(value)) throw new JsonPathError(`cannot parse number ${text}`);
    this.#position += text.length;
    this.#steps.push({ type: "literal", value });
  }

  #identifier(): void {
    const start = this.#position;
    while (this.#position < this.#text.length && !terminators.includes(this.#text.charAt(this.#position))) {
      this.#position++;
    }
    const name = this.#text.slice(start, this.#position);
    const isBoolean = name === "true" || name === "false";
    this.#steps.push(isBoolean ? { type: "literal", value: name === "true" } : { type: "identifier" });
  }

  #quoted(quote: string): void {
    const start = this.#position;
    const isEnd = (at: number) => this.#text[at] === quote && this.#text[at - 1] !== "\\";
    while (this.#position < this.#text.length && !isEnd(this.#position)) this.#position++;
    if (this.#position === this.#text.length) throw new JsonPathError("unterminated quoted string");
    const value = this.#text.slice(start, this.#position++);
    this.#steps.push({ type: "literal", value: value.replaceAll(/\\(.)/g, "$1") });
  }

  #brackets(): void {
    const end = this.#text.indexOf("]", this.#position);
    if (end < 0) throw new JsonPathError("unterminated array");
    const inside = this.#text.slice(this.#position, end);
    this.#position = end + 1;
    const alternatives = inside.split(",");
    if (alternatives.length > 1) {
      const paths = alternatives.map((each) => parsedPath(`[${each.trim()}]`));
      this.#steps.push({ type: "union", paths });
      return;
    }
    const key = keyPattern.exec(inside)?.[1];
    if (key !== undefined) {
      this.#steps.push(...parsedPath(`.${key}`));
      return;
    }
    const bounds = slicePattern.exec(inside === "*" ? ":" : inside);
    if (bounds === null) throw new JsonPathError(`invalid array index ${inside}`);
    this.#steps.push({ type: "slice", bounds: bounds.slice(1, 4) });
  }

  #filter(): void {
    const start = this.#position + "[?(".length;
    const end = filterEnd(this.#text, start);
    if (this.#text[end + 1] !== "]") throw new JsonPathError("unclosed array expect ]");
    this.#position = end + 2;
    const inside = this.#text.slice(start, end);
    const [, left = inside, operator = "exists", right = ""] = comparisonPattern.exec(inside) ?? [];
    this.#steps.push({ type: "filter", left: parsedPath(left), right: parsedPath(right), operator });
  }
}

/** Of the parenthesis that ends a filter: one in a quoted text does not. */
function filterEnd(text: string, start: number): number {
  let quote: string | undefined;
  let isClosed = true;
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === ")" && isClosed) return at;
    if (character !== '"' && character !== "'") continue;
    if (quote === undefined) [quote, isClosed] = [character, false];
    else if (character === quote && text[at - 1] !== "\\") isClosed = true;
  }
  throw new JsonPathError("unterminated filter");
}
