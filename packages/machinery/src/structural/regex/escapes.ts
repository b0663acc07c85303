import { RegexSyntaxError } from "./regex-syntax.ts";

interface Reader {
  readonly text: string;
  position: number;
}

const named: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** The one character that the escape at the position stands for, and moves past it. */
export function escapedCharacter(reader: Reader): number {
  const { text, position } = reader;
  const next = text[position + 1] ?? "";
  const name = named[next];
  if (name !== undefined) return moved(reader, 2, name);
  const octal = /^(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(text.slice(position + 1, position + 4));
  if (octal !== null) return moved(reader, 1 + octal[0].length, Number.parseInt(octal[0], 8));
  const hex = /^x(?:\{([0-9A-Fa-f]{1,8})\}|([0-9A-Fa-f]{2}))/.exec(text.slice(position + 1, position + 12));
  if (hex !== null) {
    const code = Number.parseInt(hex[1] ?? hex[2] ?? "", 16);
    if (code <= 0x10ffff) return moved(reader, 1 + hex[0].length, code);
  }
  if (next !== "" && next.charCodeAt(0) < 0x80 && !/[0-9A-Za-z]/.test(next))
    return moved(reader, 2, next.charCodeAt(0));
  const character = String.fromCodePoint(text.codePointAt(position + 1) ?? 0);
  if (next === "") throw new RegexSyntaxError("trailing backslash at end of expression", "");
  throw new RegexSyntaxError("invalid escape sequence", `\\${character}`);
}

function moved(reader: Reader, length: number, code: number): number {
  reader.position += length;
  return code;
}
