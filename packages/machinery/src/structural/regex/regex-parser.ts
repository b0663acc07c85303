import { type CharacterSet, perlClasses, singleCharacter, unicodeProperty } from "./character-set.ts";
import { parseClass } from "./class-parser.ts";
import { escapedCharacter } from "./escapes.ts";
import { mostRepetitions, type RegexNode, RegexSyntaxError } from "./regex-syntax.ts";

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly U: boolean;
}

/** Where reading has come to. */
export interface Reader {
  readonly text: string;
  position: number;
}

const empty: RegexNode = { kind: "empty" };
const maxDepth = 1000;

export function parseRegex(pattern: string): RegexNode {
  const parser = new RegexParser(pattern);
  return parser.parse();
}

class RegexParser implements Reader {
  readonly text: string;
  position = 0;
  #flags: Flags = { i: false, m: false, s: false, U: false };
  #depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  parse(): RegexNode {
    const node = this.#choice();
    if (this.position < this.text.length) throw new RegexSyntaxError("unexpected )", this.text);
    return node;
  }

  #choice(): RegexNode {
    if (++this.#depth > maxDepth) throw new RegexSyntaxError("expression nests too deeply", this.text);
    const parts = [this.#sequence()];
    while (this.text[this.position] === "|") {
      this.position++;
      parts.push(this.#sequence());
    }
    this.#depth--;
    return parts.length === 1 ? (parts[0] ?? empty) : { kind: "choice", parts };
  }

  #sequence(): RegexNode {
    const parts: RegexNode[] = [];
    let lastRepeat: number | undefined;
    while (this.position < this.text.length && !"|)".includes(this.text[this.position] ?? "")) {
      const start = this.position;
      const repeat = this.#repetition();
      if (repeat === undefined) {
        lastRepeat = undefined;
        parts.push(...this.#atoms());
        continue;
      }
      const part = parts.pop();
      if (part === undefined)
        throw new RegexSyntaxError("missing argument to repetition operator", this.text.slice(start, this.position));
      if (lastRepeat !== undefined)
        throw new RegexSyntaxError("invalid nested repetition operator", this.text.slice(lastRepeat, this.position));
      lastRepeat = start;
      parts.push({ kind: "repeat", part, ...repeat });
    }
    return parts.length === 1 ? (parts[0] ?? empty) : parts.length === 0 ? empty : { kind: "sequence", parts };
  }

  #repetition(): { least: number; most: number; greedy: boolean } | undefined {
    const counts = this.#counts();
    if (counts === undefined) return undefined;
    const lazy = this.text[this.position] === "?";
    if (lazy) this.position++;
    return { ...counts, greedy: lazy === this.#flags.U };
  }

  #counts(): { least: number; most: number } | undefined {
    const character = this.text[this.position] ?? "";
    if ("*+?".includes(character)) {
      this.position++;
      return { least: character === "+" ? 1 : 0, most: character === "?" ? 1 : Number.POSITIVE_INFINITY };
    }
    const match = /^\{(\d+)(,(\d*))?\}/.exec(this.text.slice(this.position, this.position + 20));
    if (match === null) return undefined;
    const [whole, first = "0", range, last] = match;
    const least = Number(first);
    const most = range === undefined ? least : last === "" ? Number.POSITIVE_INFINITY : Number(last);
    if (least > mostRepetitions || (most !== Number.POSITIVE_INFINITY && (most > mostRepetitions || most < least)))
      throw new RegexSyntaxError("invalid repeat count", whole);
    this.position += whole.length;
    return { least, most };
  }

  #atoms(): RegexNode[] {
    const character = this.text[this.position];
    if (character === "(") return [this.#group()];
    if (character === "[") return [this.#set(parseClass(this, this.#flags.i))];
    if (character === "\\") return this.#escape();
    const code = this.text.codePointAt(this.position) ?? 0;
    this.position += code > 0xffff ? 2 : 1;
    if (character === ".") return [this.#set(anyCharacter(this.#flags.s))];
    if (character === "^") return [{ kind: "assert", at: this.#flags.m ? "lineStart" : "textStart" }];
    if (character === "$") return [{ kind: "assert", at: this.#flags.m ? "lineEnd" : "textEnd" }];
    return [this.#set(singleCharacter(code, this.#flags.i))];
  }

  #set(set: CharacterSet): RegexNode {
    return { kind: "set", set };
  }

  #group(): RegexNode {
    const start = this.position;
    const outer = this.#flags;
    this.position++;
    if (this.text.startsWith("?", this.position) && !this.#groupPrefix(start)) return empty;
    const node = this.#choice();
    if (this.text[this.position] !== ")") throw new RegexSyntaxError("missing closing )", this.text);
    this.position++;
    this.#flags = outer;
    return node;
  }

  /** False when the parentheses held flags alone, which then go on after them. */
  #groupPrefix(start: number): boolean {
    const rest = this.text.slice(this.position);
    const name = /^\?P?<([^>]*)>/.exec(rest);
    if (name !== null) {
      if (!/^\w+$/.test(name[1] ?? "")) throw new RegexSyntaxError("invalid named capture", `(${name[0]}`);
      this.position += name[0].length;
      return true;
    }
    const flags = /^\?([imsU]*)(-([imsU]+))?([:)])/.exec(rest);
    if (flags === null) {
      const end = /^\?(P?[<=!]|.?)[^:)]*/.exec(rest)?.[1] ?? "";
      throw new RegexSyntaxError("invalid or unsupported Perl syntax", `${this.text.slice(start, start + 2)}${end}`);
    }
    const [whole, on = "", , off = "", end] = flags;
    const changed = { ...this.#flags };
    for (const flag of on) changed[flag as keyof Flags] = true;
    for (const flag of off) changed[flag as keyof Flags] = false;
    this.#flags = changed;
    this.position += whole.length;
    return end === ":";
  }

  #escape(): RegexNode[] {
    const next = this.text[this.position + 1];
    if (next === undefined) throw new RegexSyntaxError("trailing backslash at end of expression", "");
    const special = this.#specialEscape(next);
    if (special !== undefined) {
      this.position += 2;
      return [special];
    }
    if (next === "Q") return this.#literalRun();
    if (next === "p" || next === "P") return [this.#set(unicodeSet(this, this.#flags.i))];
    return [this.#set(singleCharacter(escapedCharacter(this), this.#flags.i))];
  }

  #specialEscape(next: string): RegexNode | undefined {
    if (next === "A") return { kind: "assert", at: "textStart" };
    if (next === "z") return { kind: "assert", at: "textEnd" };
    if (next === "b") return { kind: "assert", at: "wordBoundary" };
    if (next === "B") return { kind: "assert", at: "noWordBoundary" };
    const ranges = perlClasses[next.toLowerCase()];
    if (ranges === undefined) return undefined;
    return this.#set({ negated: next !== next.toLowerCase(), ranges, others: [], ignoreCase: this.#flags.i });
  }

  #literalRun(): RegexNode[] {
    const start = this.position + 2;
    const end = this.text.indexOf("\\E", start);
    this.position = end === -1 ? this.text.length : end + 2;
    const literal = this.text.slice(start, end === -1 ? undefined : end);
    return Array.from(literal).map((character) =>
      this.#set(singleCharacter(character.codePointAt(0) ?? 0, this.#flags.i)),
    );
  }
}

function anyCharacter(withLineEnds: boolean): CharacterSet {
  const ranges: CharacterSet["ranges"] = withLineEnds ? [] : [[0x0a, 0x0a]];
  return { negated: true, ranges, others: [], ignoreCase: false };
}

/** `\pL`, `\p{Greek}`, `\P{^Lu}`; the position is at the backslash. */
function unicodeSet(reader: Reader, ignoreCase: boolean): CharacterSet {
  const match = /^\\([pP])(?:\{(\^?)(\w+)\}|(\w))/.exec(reader.text.slice(reader.position));
  const property = match === null ? undefined : unicodeProperty(match[3] ?? match[4] ?? "");
  if (match === null || property === undefined) {
    const shown = match?.[0] ?? reader.text.slice(reader.position);
    throw new RegexSyntaxError("invalid character class range", shown);
  }
  reader.position += match[0].length;
  return { negated: (match[1] === "P") !== (match[2] === "^"), ranges: [], others: [property], ignoreCase };
}
