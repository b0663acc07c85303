import { goNumberText } from "../go-values.ts";
import { isPlainText, isSingleQuotable, looksOtherwise } from "./yaml-styles.ts";

/** Where on the page a text goes. */
export interface TextPlace {
  /** Of the lines after the first. */
  readonly indent: number;
  /** Of its first character. */
  readonly column: number;
}

/** From here on, a line is broken at the next space. */
const lineWidth = 80;

export function keyText(key: string): string {
  return scalarText(key, undefined);
}

/** A text without a place stays on one line. */
export function scalarText(value: string | number | boolean | null, place: TextPlace | undefined): string {
  if (typeof value === "number") return goNumberText(value);
  if (typeof value !== "string") return String(value);
  if (place !== undefined && value.includes("\n") && isBlockText(value)) return blockText(value, place);
  if (value.includes("\n") || looksOtherwise(value)) return doubleQuoted(value, place);
  if (isPlainText(value)) return folded(value, place);
  return isSingleQuotable(value) ? singleQuoted(value, place) : doubleQuoted(value, place);
}

// oxlint-disable-next-line no-control-regex -- control characters are what it is about
const unprintable = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ufeff\ufffe\uffff]|[^\u0000-\uffff]/u;

function isBlockText(text: string): boolean {
  return !unprintable.test(text) && !/ (?:\n|$)/.test(text);
}

/** `|-` and the lines as they are. */
function blockText(text: string, { indent }: TextPlace): string {
  const start = /^[\s]/.test(text) ? "2" : "";
  const body = text.replace(/\n$/, "");
  const end = text.endsWith("\n\n") || text === "\n" ? "+" : "";
  const lines = body.split("\n").map((line) => (line === "" ? "" : " ".repeat(indent) + line));
  return `|${start}${text.endsWith("\n") ? end : "-"}\n${lines.join("\n")}`;
}

function singleQuoted(text: string, place: TextPlace | undefined): string {
  return `'${folded(text.replaceAll("'", "''"), place && { ...place, column: place.column + 1 })}'`;
}

/** Lines end at single spaces that are far enough to the right. */
function folded(text: string, place: TextPlace | undefined): string {
  if (place === undefined) return text;
  let { column } = place;
  let written = "";
  for (const [index, character] of Array.from(text).entries()) {
    const isSingle = character === " " && text[index - 1] !== " " && text[index + 1] !== " ";
    if (isSingle && column > lineWidth && index > 0 && index < text.length - 1) {
      written += `\n${" ".repeat(place.indent)}`;
      column = place.indent;
    } else {
      written += character;
      column++;
    }
  }
  return written;
}

const escapes: Readonly<Record<string, string>> = {
  "\0": "\\0",
  "\u0007": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  "\u001b": "\\e",
  '"': '\\"',
  "\\": "\\\\",
  "\u0085": "\\N",
  "\u2028": "\\L",
  "\u2029": "\\P",
};

function doubleQuoted(text: string, place: TextPlace | undefined): string {
  const characters = Array.from(text);
  let column = (place?.column ?? 0) + 1;
  let written = "";
  for (const [index, character] of characters.entries()) {
    const isInside = index > 0 && index < characters.length - 1;
    const mayBreak = character === " " && characters[index - 1] !== " " && isInside;
    if (place !== undefined && mayBreak && column > lineWidth) {
      written += `\n${" ".repeat(place.indent)}${characters[index + 1] === " " ? "\\" : ""}`;
      column = place.indent;
      continue;
    }
    const shown = escaped(character);
    written += shown;
    column += shown.length;
  }
  return `"${written}"`;
}

function escaped(character: string): string {
  const known = escapes[character];
  if (known !== undefined) return known;
  if (!unprintable.test(character)) return character;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  if (code.length <= 2) return `\\x${code.padStart(2, "0")}`;
  return code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
}
