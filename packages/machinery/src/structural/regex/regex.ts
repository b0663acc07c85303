import { StateCache } from "./matching-states.ts";
import { findMatch, type Match } from "./regex-finder.ts";
import { parseRegex } from "./regex-parser.ts";
import { compileRegex, type Instruction } from "./regex-program.ts";

/**
 * A pattern of RE2, run in time linear in the text: one that comes from a stranger's CRD cannot stop the process, as one run by
 * backtracking could.
 */
export class Regex {
  readonly #program: readonly Instruction[];
  #states: StateCache | undefined;

  /** Throws a RegexSyntaxError. */
  constructor(pattern: string) {
    this.#program = compileRegex(parseRegex(pattern), pattern);
  }

  /** How large the machine is; each character of a text costs at most that many steps. */
  get size(): number {
    return this.#program.length;
  }

  /** Whether it matches anywhere in the text. */
  test(text: string): boolean {
    this.#states ??= new StateCache(this.#program);
    return this.#states.matches(text);
  }

  /** The first match, of those that begin there the preferred one. */
  find(text: string): string | undefined {
    const characters = Array.from(text);
    const match = findMatch(this.#program, characters, 0);
    return match === undefined ? undefined : characters.slice(match.start, match.end).join("");
  }

  /** Matches that do not overlap, at most so many. */
  findAll(text: string, most = Number.POSITIVE_INFINITY): string[] {
    const characters = Array.from(text);
    const found: string[] = [];
    let previousEnd = -1;
    let from = 0;
    while (found.length < most && from <= characters.length) {
      const match: Match | undefined = findMatch(this.#program, characters, from);
      if (match === undefined) break;
      const isEmptyAfterAnother = match.end === match.start && match.start === previousEnd;
      if (!isEmptyAfterAnother) found.push(characters.slice(match.start, match.end).join(""));
      previousEnd = match.end;
      from = match.end > match.start ? match.end : match.end + 1;
    }
    return found;
  }
}
