import { type CharacterSet, hasCharacter, perlClasses, posixClasses, unicodeProperty } from "./character-set.ts";
import { escapedCharacter } from "./escapes.ts";
import { RegexSyntaxError } from "./regex-syntax.ts";

interface Reader {
  readonly text: string;
  position: number;
}

interface Class {
  readonly ranges: (readonly [number, number])[];
  readonly others: ((code: number) => boolean)[];
}

/** A class in brackets; the position is at its opening one. */
export function parseClass(reader: Reader, ignoreCase: boolean): CharacterSet {
  const start = reader.position;
  reader.position++;
  const negated = reader.text[reader.position] === "^";
  if (negated) reader.position++;
  const found: Class = { ranges: [], others: [] };
  let first = true;
  while (reader.text[reader.position] !== "]" || first) {
    if (reader.position >= reader.text.length)
      throw new RegexSyntaxError("missing closing ]", reader.text.slice(start));
    if (!namedClass(reader, found)) range(reader, found, start);
    first = false;
  }
  reader.position++;
  return { negated, ...found, ignoreCase };
}

function range(reader: Reader, found: Class, start: number): void {
  const from = reader.position;
  const first = character(reader, start);
  let last = first;
  if (reader.text[reader.position] === "-" && !["]", undefined].includes(reader.text[reader.position + 1])) {
    reader.position++;
    last = character(reader, start);
  }
  if (last < first)
    throw new RegexSyntaxError("invalid character class range", reader.text.slice(from, reader.position));
  found.ranges.push([first, last]);
}

function character(reader: Reader, start: number): number {
  if (reader.position >= reader.text.length) throw new RegexSyntaxError("missing closing ]", reader.text.slice(start));
  if (reader.text[reader.position] === "\\") return escapedCharacter(reader);
  const code = reader.text.codePointAt(reader.position) ?? 0;
  reader.position += code > 0xffff ? 2 : 1;
  return code;
}

/** `[:alpha:]`, `\d` and `\p{L}` within brackets. */
function namedClass(reader: Reader, found: Class): boolean {
  const rest = reader.text.slice(reader.position);
  const posix = /^\[:(\^?)(\w+):\]/.exec(rest);
  if (posix !== null) {
    const ranges = posixClasses[posix[2] ?? ""];
    if (ranges === undefined) throw new RegexSyntaxError("invalid character class range", posix[0]);
    reader.position += posix[0].length;
    return add(found, { negated: posix[1] === "^", ranges, others: [], ignoreCase: false });
  }
  const perl = /^\\([dswDSW])/.exec(rest)?.[1];
  if (perl !== undefined) {
    reader.position += 2;
    const ranges = perlClasses[perl.toLowerCase()] ?? [];
    return add(found, { negated: perl !== perl.toLowerCase(), ranges, others: [], ignoreCase: false });
  }
  const unicode = /^\\([pP])(?:\{(\^?)(\w+)\}|(\w))/.exec(rest);
  if (unicode === null) return false;
  const property = unicodeProperty(unicode[3] ?? unicode[4] ?? "");
  if (property === undefined) throw new RegexSyntaxError("invalid character class range", unicode[0]);
  reader.position += unicode[0].length;
  const negated = (unicode[1] === "P") !== (unicode[2] === "^");
  return add(found, { negated, ranges: [], others: [property], ignoreCase: false });
}

function add(found: Class, set: CharacterSet): true {
  if (set.negated || set.others.length > 0) found.others.push((code) => hasCharacter(set, code));
  else found.ranges.push(...set.ranges);
  return true;
}
