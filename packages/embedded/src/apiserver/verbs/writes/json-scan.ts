import { goQuote } from "@stowage/machinery/structural";

/** What is to be known of a JSON text beside its value. */
export interface JsonScan {
  /** What Go's decoder says of a text that is no JSON. */
  readonly problem: string | undefined;
  /** Paths of fields that are there more than once; the last one counts. */
  readonly duplicates: readonly string[];
  /** Numbers that are not written as whole ones are, by their paths. */
  readonly oddNumbers: ReadonlyMap<string, string>;
}

/** More than anybody writes, and less than what walking an object by recursion can stand. */
export const mostLevels = 1000;

export function scanJson(text: string): JsonScan {
  const scanner = new Scanner(text);
  try {
    scanner.document();
    const { duplicates, oddNumbers } = scanner;
    return { problem: undefined, duplicates, oddNumbers };
  } catch (error) {
    if (error instanceof ScanError) return { problem: error.message, duplicates: [], oddNumbers: new Map() };
    throw error;
  }
}

class ScanError extends Error {}

/** Of whole numbers that Go's are sure to hold. */
const mostDigits = 18;
const backslash = 0x5c;
const firstPrintable = 0x20;
const space = /[ \t\r\n]*/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literal = /true|false|null/y;

class Scanner {
  readonly duplicates: string[] = [];
  readonly oddNumbers = new Map<string, string>();
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value("", 0);
    this.#skip(space);
    if (this.#at < this.#text.length) throw this.#unwanted("after top-level value");
  }

  #value(path: string, level: number): void {
    this.#skip(space);
    const first = this.#text[this.#at];
    if (level > mostLevels) throw this.#unwanted("exceeded max depth");
    if (first === "{") this.#object(path, level);
    else if (first === "[") this.#array(path, level);
    else if (!this.#string() && !this.#number(path) && !this.#skip(literal)) {
      throw this.#unwanted("looking for beginning of value");
    }
  }

  #object(path: string, level: number): void {
    const seen = new Set<string>();
    this.#at++;
    this.#skip(space);
    if (this.#take("}")) return;
    do {
      this.#skip(space);
      const start = this.#at;
      if (!this.#string()) throw this.#unwanted("looking for beginning of object key string");
      const name = JSON.parse(this.#text.slice(start, this.#at)) as string;
      const at = path === "" ? name : `${path}.${name}`;
      if (seen.has(name)) this.duplicates.push(at);
      seen.add(name);
      this.#skip(space);
      if (!this.#take(":")) throw this.#unwanted("after object key");
      this.#value(at, level + 1);
      this.#skip(space);
    } while (this.#take(","));
    if (!this.#take("}")) throw this.#unwanted("after object key:value pair");
  }

  #array(path: string, level: number): void {
    this.#at++;
    this.#skip(space);
    if (this.#take("]")) return;
    let index = 0;
    do {
      this.#value(`${path}[${index++}]`, level + 1);
      this.#skip(space);
    } while (this.#take(","));
    if (!this.#take("]")) throw this.#unwanted("after array element");
  }

  /** By hand: texts of a megabyte are more than an expression with choices can go back in. */
  #string(): boolean {
    if (!this.#take('"')) return false;
    while (!this.#take('"')) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === backslash) {
        if (!this.#skip(escape)) throw this.#unwanted("in string literal");
      } else if (code >= firstPrintable) this.#at++;
      else throw this.#unwanted("in string literal");
    }
    return true;
  }

  #number(path: string): boolean {
    const start = this.#at;
    if (!this.#skip(number)) return false;
    const written = this.#text.slice(start, this.#at);
    if (/[.eE]/u.test(written) || written.length > mostDigits) this.oddNumbers.set(path, written);
    return true;
  }

  #take(character: string): boolean {
    const isThere = this.#text[this.#at] === character;
    if (isThere) this.#at++;
    return isThere;
  }

  #skip(expression: RegExp): boolean {
    expression.lastIndex = this.#at;
    if (!expression.test(this.#text)) return false;
    this.#at = expression.lastIndex;
    return true;
  }

  #unwanted(where: string): ScanError {
    const character = this.#text[this.#at];
    if (character === undefined) return new ScanError("unexpected end of JSON input");
    return new ScanError(`invalid character ${goCharacter(character)} ${where}`);
  }
}

/** As Go writes the first byte of a character. */
function goCharacter(character: string): string {
  if (character === "'") return "'\\''";
  const byte = String.fromCodePoint(Buffer.from(character)[0] ?? 0);
  return `'${byte === '"' ? byte : goQuote(byte).slice(1, -1)}'`;
}
