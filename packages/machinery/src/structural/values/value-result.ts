import { goQuote } from "../../go-text/index.ts";
import type { JsonValue } from "../../patches/json-value.ts";
import {
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "../errors/field-error.ts";
import { child } from "../errors/field-path.ts";
import { type GoFloat, goJson } from "../errors/go-text.ts";

/** What the validator says of a value; its message is what makes it different from another. */
export interface Finding {
  readonly message: string;
  /** Undefined for one that has no place of its own, such as that no schema of a choice fits. */
  readonly path: string | undefined;
  toFieldError(path: string): FieldError;
}

/**
 * What came of checking a value. How much of it matched decides which alternative of a choice is reported: the API server counts
 * the checks in its own way, and only with the same count the same alternative is named.
 */
export class ValueResult {
  readonly findings: Finding[] = [];
  matchCount = 0;
  #messages: Set<string> | undefined;

  get isValid(): boolean {
    return this.findings.length === 0;
  }

  add(finding: Finding): void {
    this.#messages ??= new Set();
    if (this.#messages.has(finding.message)) return;
    this.#messages.add(finding.message);
    this.findings.push(finding);
  }

  merge(other: ValueResult | undefined): void {
    if (other === undefined) return;
    for (const finding of other.findings) this.add(finding);
    this.matchCount += other.matchCount;
  }
}

/** Turns findings into errors of fields below a path; the validator's own paths begin at that path. */
export function findingErrors(path: string, result: ValueResult): FieldError[] {
  return result.findings.map((finding) => {
    const name = finding.path?.replace(/^\./, "") ?? "";
    return finding.toFieldError(finding.path === undefined || name === "" ? path : child(path, name));
  });
}

export function plainFinding(message: string): Finding {
  return { message, path: undefined, toFieldError: (path) => invalid(path, "", message) };
}

export function invalidFinding(path: string, value: JsonValue | GoFloat | undefined, message: string): Finding {
  return { message, path, toFieldError: (at) => invalid(at, value ?? "", message) };
}

/** `found` is the name of what was there instead, or the text that does not have the format. */
export function typeFinding(path: string, wanted: string, found: string): Finding {
  const message = `${path} in body must be of type ${wanted}: ${goQuote(found)}`;
  return { message, path, toFieldError: (at) => typeInvalid(at, found, message) };
}

export function requiredFinding(path: string): Finding {
  return { message: `${path} in body is required`, path, toFieldError: (at) => required(at) };
}

export function enumFinding(path: string, value: JsonValue, supported: readonly JsonValue[]): Finding {
  const texts = supported.map((option) => (typeof option === "string" ? option : goJson(option)));
  return {
    message: `${path} in body should be one of [${texts.join(" ")}]`,
    path,
    toFieldError: (at) => notSupported(at, value, texts),
  };
}

export function tooLongFinding(path: string, most: number): Finding {
  const message = `${path} in body should be at most ${most} chars long`;
  return { message, path, toFieldError: (at) => tooLong(at, most) };
}

export function tooManyFinding(path: string, what: "items" | "properties", count: Count): Finding {
  const message = `${path} in body should have at most ${count.most} ${what}`;
  return { message, path, toFieldError: (at) => tooMany(at, count.actual, count.most) };
}

export interface Count {
  readonly actual: number;
  readonly most: number;
}
