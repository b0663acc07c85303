import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { keyText, scalarText } from "./yaml-scalars.ts";

/**
 * A document as the real server writes it: keys in order, lists as deep as the key that they belong to, long texts broken at spaces.
 * Clients keep such files under version control, so that how they look is part of what is served.
 */
export function yamlText(value: JsonValue): string {
  const written = nodeText(value, 0);
  return `${written.trimStart()}\n`;
}

/** With what is before it on its line: a space, or the end of that line. */
function nodeText(value: JsonValue, indent: number): string {
  if (Array.isArray(value)) return value.length === 0 ? " []" : listText(value, indent);
  if (typeof value === "object" && value !== null) return mapText(value, indent);
  return ` ${scalarText(value, { indent, column: 0 })}`;
}

function mapText(map: JsonObject, indent: number): string {
  const keys = Object.keys(map).toSorted(compareKeys);
  if (keys.length === 0) return " {}";
  return keys.map((key) => `\n${" ".repeat(indent)}${memberText(key, map[key] ?? null, indent)}`).join("");
}

function memberText(key: string, value: JsonValue, indent: number): string {
  const head = `${keyText(key)}:`;
  if (Array.isArray(value)) return head + (value.length === 0 ? " []" : listText(value, indent));
  if (typeof value === "object" && value !== null) return head + mapText(value, indent + 2);
  return `${head} ${scalarText(value, { indent: indent + 2, column: indent + head.length + 1 })}`;
}

function listText(list: readonly JsonValue[], indent: number): string {
  return list.map((item) => `\n${" ".repeat(indent)}-${itemText(item, indent)}`).join("");
}

/** What is in a list begins on the line of its dash. */
function itemText(item: JsonValue, indent: number): string {
  if (typeof item !== "object" || item === null) {
    return ` ${scalarText(item, { indent: indent + 2, column: indent + 2 })}`;
  }
  const written = Array.isArray(item) && item.length > 0 ? listText(item, indent + 2) : nodeText(item, indent + 2);
  return ` ${written.trimStart()}`;
}

const letter = /\p{L}/u;
const digits = /^\d*/;

/** Letters after all else, and numbers in texts by their size. */
function compareKeys(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  const at = left.findIndex((character, index) => character !== right[index]);
  const [x, y] = [left[at], right[at]];
  if (x === undefined || y === undefined) return left.length - right.length;
  const [isLeft, isRight] = [letter.test(x), letter.test(y)];
  if (isLeft !== isRight) return isLeft ? 1 : -1;
  const [n = "", m = ""] = isLeft ? [] : [left, right].map((each) => digits.exec(each.slice(at).join(""))?.[0]);
  return Number(n) - Number(m) || n.length - m.length || (x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0);
}
