import { qualifiedNameErrors } from "../names/index.ts";
import { InvalidSelectorError } from "./invalid-selector-error.ts";
import { labelTokens, type Token, type TokenKind } from "./label-lexer.ts";
import { LabelMatcher } from "./label-matcher.ts";
import { type LabelOperator, type LabelRequirement } from "./label-requirement.ts";
import { problemAt, requirementProblem } from "./requirement-problem.ts";

const operators: Partial<Record<TokenKind, LabelOperator>> = {
  in: "in",
  notin: "notin",
  "=": "=",
  "==": "==",
  "!=": "!=",
  ">": "gt",
  "<": "lt",
};

/** Reads `app=web,tier in (a,b),!old`; empty text selects everything. Throws INVALID_SELECTOR. */
export function parseLabelSelector(selector: string): LabelMatcher {
  return new LabelMatcher(new LabelParser(selector).parse());
}

/** Recursive descent over the tokens. The words of every refusal are Kubernetes' own. */
class LabelParser {
  readonly #selector: string;
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(selector: string) {
    this.#selector = selector;
    this.#tokens = labelTokens(selector);
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    if (this.#peek().kind === "end") return requirements;
    if (!this.#isAtRequirement()) throw this.#unexpected(this.#peek(), "!, identifier, or 'end of string'");
    for (;;) {
      requirements.push(this.#requirement());
      const separator = this.#next();
      if (separator.kind === "end") return requirements;
      if (separator.kind !== ",") throw this.#unexpected(separator, "',' or 'end of string'");
      if (!this.#isAtRequirement()) throw this.#unexpected(this.#peek(), "identifier after ','");
    }
  }

  #requirement(): LabelRequirement {
    const isNegated = this.#peek().kind === "!";
    if (isNegated) this.#next();
    const key = this.#key();
    if (isNegated) return { key, operator: "!", values: [] };
    if (this.#isAtSeparator()) return { key, operator: "exists", values: [] };
    const operator = this.#operator();
    const values = operator === "in" || operator === "notin" ? this.#valueSet() : [this.#singleValue()];
    const problem = requirementProblem({ key, operator, values });
    if (problem !== undefined) throw this.#badRequirement(problem);
    return { key, operator, values };
  }

  #key(): string {
    const token = this.#next();
    if (!isWord(token)) throw this.#badRequirement(`found '${token.text}', expected: identifier`);
    const [problem] = problemAt("<nil>", token.text, qualifiedNameErrors(token.text));
    if (problem !== undefined) throw this.#badRequirement(problem);
    return token.text;
  }

  #operator(): LabelOperator {
    const token = this.#next();
    const operator = operators[token.kind];
    if (!operator) throw this.#badRequirement(`found '${token.text}', expected: in, notin, =, ==, !=, gt, lt`);
    return operator;
  }

  #singleValue(): string {
    if (this.#isAtSeparator()) return "";
    const token = this.#next();
    if (!isWord(token)) throw this.#badRequirement(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  /** `(a,b)`: sorted, each once. Nothing before, between or after commas stands for the empty value. */
  #valueSet(): string[] {
    const open = this.#next();
    if (open.kind !== "(") throw this.#badRequirement(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (!isWord(first) && first.kind !== "," && first.kind !== ")") {
      throw this.#badRequirement(`found '${first.text}', expected: ',', ')' or identifier`);
    }
    const values = new Set<string>();
    for (;;) {
      const hasWord = isWord(this.#peek());
      values.add(hasWord ? this.#next().text : "");
      const separator = this.#next();
      if (separator.kind === ")") return [...values].sort();
      if (separator.kind !== ",") {
        throw this.#badRequirement(
          `found '${separator.text}', expected: ${hasWord ? "',' or ')'" : "',', or identifier"}`,
        );
      }
    }
  }

  #peek(): Token {
    return this.#tokens[this.#position] ?? { kind: "end", text: "" };
  }

  #next(): Token {
    const token = this.#peek();
    this.#position++;
    return token;
  }

  #isAtRequirement(): boolean {
    return this.#peek().kind === "!" || isWord(this.#peek());
  }

  #isAtSeparator(): boolean {
    return this.#peek().kind === "," || this.#peek().kind === "end";
  }

  #unexpected({ text }: Token, expected: string): InvalidSelectorError {
    return new InvalidSelectorError(this.#selector, `found '${text}', expected: ${expected}`);
  }

  #badRequirement(problem: string): InvalidSelectorError {
    return new InvalidSelectorError(this.#selector, `unable to parse requirement: ${problem}`);
  }
}

/** Between operators, `in` and `notin` are keys and values like any other: `in in (in)` is a selector. */
function isWord({ kind }: Token): boolean {
  return kind === "identifier" || kind === "in" || kind === "notin";
}
