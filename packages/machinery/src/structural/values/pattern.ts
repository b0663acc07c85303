import { Regex } from "../regex/regex.ts";
import { RegexSyntaxError } from "../regex/regex-syntax.ts";

/** A pattern of a schema, compiled when the first text comes: most never do. */
export class LazyPattern {
  readonly source: string;
  #regex: Regex | RegexSyntaxError | undefined;

  constructor(source: string) {
    this.source = source;
  }

  /** Why it cannot be used, if so. */
  get problem(): string | undefined {
    const regex = this.#compiled();
    return regex instanceof Regex ? undefined : regex.message;
  }

  test(text: string): boolean {
    const regex = this.#compiled();
    return regex instanceof Regex && regex.test(text);
  }

  #compiled(): Regex | RegexSyntaxError {
    this.#regex ??= compile(this.source);
    return this.#regex;
  }
}

function compile(source: string): Regex | RegexSyntaxError {
  try {
    return new Regex(source);
  } catch (error) {
    if (error instanceof RegexSyntaxError) return error;
    throw error;
  }
}
