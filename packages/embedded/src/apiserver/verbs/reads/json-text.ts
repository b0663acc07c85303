/**
 * Looks into the text of a JSON object, and changes it, without decoding it: what is not asked for is passed over, and comes out as
 * it went in, numbers too. The text has to be right; it is what the store has, not what a client sent.
 */
interface Member {
  readonly key: string;
  /** Of the key's quotation mark. */
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** The text of a value, by the keys that lead to it. */
export function valueText(text: string, ...path: readonly string[]): string | undefined {
  const member = memberAt(text, path);
  return member && text.slice(member.valueStart, member.valueEnd);
}

/** With another value, given as JSON; put first where there was none, unless there is nothing that it could be put into. */
export function withValue(text: string, path: readonly string[], value: string): string {
  const member = memberAt(text, path);
  if (member !== undefined) return text.slice(0, member.valueStart) + value + text.slice(member.valueEnd);
  const at = path.length === 1 ? 0 : memberAt(text, path.slice(0, -1))?.valueStart;
  if (at === undefined) return text;
  const open = text.indexOf("{", at) + 1;
  const isEmpty = text[spaceEnd(text, open)] === "}";
  return `${text.slice(0, open)}${JSON.stringify(path.at(-1))}:${value}${isEmpty ? "" : ","}${text.slice(open)}`;
}

/** Without some of the members of the object itself. */
export function withoutMembers(text: string, keys: readonly string[]): string {
  const kept: string[] = [];
  for (const { key, start, valueEnd } of members(text, 0)) {
    if (!keys.includes(key)) kept.push(text.slice(start, valueEnd));
  }
  return `{${kept.join(",")}}`;
}

function memberAt(text: string, path: readonly string[]): Member | undefined {
  let found: Member | undefined;
  for (const key of path) {
    found = members(text, found?.valueStart ?? 0).find((member) => member.key === key);
    if (found === undefined) return undefined;
  }
  return found;
}

/** None when it is no object. */
function* members(text: string, at: number): Generator<Member, undefined> {
  if (text[spaceEnd(text, at)] !== "{") return;
  let position = spaceEnd(text, spaceEnd(text, at) + 1);
  while (text[position] === '"') {
    const keyEnd = stringEnd(text, position);
    const valueStart = spaceEnd(text, spaceEnd(text, keyEnd) + 1);
    const valueEnd = endOf(text, valueStart);
    yield { key: JSON.parse(text.slice(position, keyEnd)) as string, start: position, valueStart, valueEnd };
    const next = spaceEnd(text, valueEnd);
    if (text[next] !== ",") return;
    position = spaceEnd(text, next + 1);
  }
}

function endOf(text: string, at: number): number {
  const first = text[at];
  if (first === '"') return stringEnd(text, at);
  if (first === "{" || first === "[") return nestedEnd(text, at);
  let end = at;
  while (end < text.length && !",}] \n\r\t".includes(text.charAt(end))) end++;
  return end;
}

function nestedEnd(text: string, at: number): number {
  let depth = 0;
  for (let position = at; position < text.length; position++) {
    const character = text[position];
    if (character === '"') position = stringEnd(text, position) - 1;
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") {
      depth--;
      if (depth === 0) return position + 1;
    }
  }
  return text.length;
}

function stringEnd(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

function spaceEnd(text: string, at: number): number {
  let end = at;
  while (" \n\r\t".includes(text.charAt(end)) && end < text.length) end++;
  return end;
}
