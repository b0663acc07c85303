import type { CharacterSet } from "./character-set.ts";

/** A pattern in the syntax of RE2, which is that of every `pattern` and every `matches` in Kubernetes. */
export type RegexNode =
  | { readonly kind: "empty" }
  | { readonly kind: "set"; readonly set: CharacterSet }
  | { readonly kind: "sequence"; readonly parts: readonly RegexNode[] }
  | { readonly kind: "choice"; readonly parts: readonly RegexNode[] }
  | {
      readonly kind: "repeat";
      readonly part: RegexNode;
      readonly least: number;
      readonly most: number;
      readonly greedy: boolean;
    }
  | { readonly kind: "assert"; readonly at: Assertion };

export type Assertion = "textStart" | "textEnd" | "lineStart" | "lineEnd" | "wordBoundary" | "noWordBoundary";

/** Why a pattern cannot be used, as Go words it. */
export class RegexSyntaxError extends Error {
  override readonly name = "RegexSyntaxError";

  constructor(problem: string, expression: string) {
    super(`error parsing regexp: ${problem}: \`${expression}\``);
  }
}

/** RE2 refuses more, so that no short pattern becomes a large program. */
export const mostRepetitions = 1000;
