import { InvalidSelectorError } from "./invalid-selector-error.ts";

export interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** Decides by fields of an object, such as `metadata.name`; immutable. */
export class FieldMatcher {
  /** In the order of their text. All must be met; an empty list matches everything. */
  readonly requirements: readonly FieldRequirement[];

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements;
  }

  /** `fieldOf` gives the value of a field; a field without a value counts as empty. */
  matches(fieldOf: (field: string) => string | undefined): boolean {
    return this.requirements.every(
      ({ field, operator, value }) => ((fieldOf(field) ?? "") === value) === (operator === "="),
    );
  }

  isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  /** The value that the field must have, when there is just one; lets an index answer instead of a search. */
  requiredValue(field: string): string | undefined {
    return this.requirements.find((each) => each.field === field && each.operator === "=")?.value;
  }

  toString(): string {
    return this.requirements.map(({ field, operator, value }) => field + operator + escapeFieldValue(value)).join(",");
  }
}

/** Reads `metadata.name=x,spec.nodeName!=y`; throws INVALID_SELECTOR. Which fields exist is for the API to say. */
export function parseFieldSelector(selector: string): FieldMatcher {
  const terms = splitTerms(selector).filter((term) => term !== "");
  const requirements = terms.sort(compareByCodePoint).map((term) => parseTerm(term, selector));
  // A lone "=" says nothing about anything; Kubernetes passes over it.
  return new FieldMatcher(requirements.filter(({ field, value }) => field !== "" || value !== ""));
}

/** Writes any text so that it can stand as a value in a field selector. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, "\\$&");
}

/** Splits at commas, but not at escaped ones; the escapes stay. */
function splitTerms(selector: string): string[] {
  const terms: string[] = [];
  let term = "";
  for (const [piece] of selector.matchAll(/\\[^]?|,|[^\\,]+/g)) {
    if (piece === ",") {
      terms.push(term);
      term = "";
    } else {
      term += piece;
    }
  }
  return [...terms, term];
}

function parseTerm(term: string, selector: string): FieldRequirement {
  const match = /!=|==?/.exec(term);
  if (!match) {
    throw new InvalidSelectorError(selector, `invalid selector: '${selector}'; can't understand '${term}'`);
  }
  const value = unescapeValue(term.slice(match.index + match[0].length), selector);
  return { field: term.slice(0, match.index), operator: match[0] === "!=" ? "!=" : "=", value };
}

function unescapeValue(escaped: string, selector: string): string {
  return escaped.replace(/\\[^]?|[,=]/gu, (piece) => {
    if (piece === "\\\\" || piece === "\\," || piece === "\\=") return piece.slice(1);
    throw new InvalidSelectorError(
      selector,
      piece.startsWith("\\")
        ? `invalid field selector: invalid escape sequence: ${piece}`
        : `invalid field selector: unescaped character in value: ${piece.charCodeAt(0)}`,
    );
  });
}

/** As Go sorts text: by UTF-8 bytes, which is by code point; JavaScript's own order differs outside the basic plane. */
function compareByCodePoint(left: string, right: string): number {
  const rest = Array.from(right);
  for (const [i, letter] of Array.from(left).entries()) {
    const other = rest[i];
    if (other === undefined) return 1;
    if (letter !== other) return (letter.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
  }
  return left.length - right.length;
}
