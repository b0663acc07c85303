import { namedEscapes } from "../../../go-text/index.ts";
import { runeCount } from "../../errors/go-text.ts";
import { CelError } from "../cel-error.ts";
import { type CelList, type CelValue, PlainList } from "../cel-value.ts";
import { runtimeTypeName } from "./conversions.ts";
import { fn, method, type Overload } from "./overload.ts";
import { cachedRegex } from "./regexes.ts";
import { formatText } from "./string-format.ts";

const matches = ([text, pattern]: [string, string]) => cachedRegex(pattern, "").test(text);

/** Places in texts are counted in code points. */
export const stringOverloads: readonly Overload[] = [
  method<[string, string]>("contains", "string, string", "bool", ([text, part]) => text.includes(part)),
  method<[string, string]>("startsWith", "string, string", "bool", ([text, part]) => text.startsWith(part)),
  method<[string, string]>("endsWith", "string, string", "bool", ([text, part]) => text.endsWith(part)),
  method<[string, string]>("matches", "string, string", "bool", matches),
  fn<[string, string]>("matches", "string, string", "bool", matches),
  method<[string, string]>(
    "find",
    "string, string",
    "string",
    ([text, pattern]) => cachedRegex(pattern, "Illegal regex: ").find(text) ?? "",
  ),
  method<[string, string]>(
    "findAll",
    "string, string",
    "list<string>",
    ([text, pattern]) => new PlainList(cachedRegex(pattern, "Illegal regex: ").findAll(text)),
  ),
  method<[string, string, bigint]>(
    "findAll",
    "string, string, int",
    "list<string>",
    ([text, pattern, most]) =>
      new PlainList(cachedRegex(pattern, "Illegal regex: ").findAll(text, most < 0n ? undefined : Number(most))),
  ),
  method<[string, bigint]>("charAt", "string, int", "string", ([text, index]) => {
    const runes = Array.from(text);
    if (index < 0n || index > BigInt(runes.length)) throw outOfRange(index);
    return runes[Number(index)] ?? "";
  }),
  method<[string, string]>("indexOf", "string, string", "int", ([text, part]) => indexFrom(text, part, 0n)),
  method<[string, string, bigint]>("indexOf", "string, string, int", "int", ([text, part, from]) =>
    indexFrom(text, part, from),
  ),
  method<[string, string]>("lastIndexOf", "string, string", "int", ([text, part]) => {
    const count = runeCount(text);
    if (part === "") return BigInt(count);
    return runeCount(part) > count ? -1n : lastIndexFrom(text, part, BigInt(count - 1));
  }),
  method<[string, string, bigint]>("lastIndexOf", "string, string, int", "int", ([text, part, from]) =>
    lastIndexFrom(text, part, from),
  ),
  method<[CelList]>("join", "list<string>", "string", ([list], meter) => join(list, "", (cost) => meter.spend(cost))),
  method<[CelList, string]>("join", "list<string>, string", "string", ([list, separator], meter) =>
    join(list, separator, (cost) => meter.spend(cost)),
  ),
  method<[string]>("lowerAscii", "string", "string", ([text]) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase())),
  method<[string]>("upperAscii", "string", "string", ([text]) => text.replace(/[a-z]+/g, (part) => part.toUpperCase())),
  method<[string]>("trim", "string", "string", ([text]) => text.trim()),
  method<[string, string, string]>("replace", "string, string, string", "string", ([text, from, to], meter) => {
    meter.spend(1 + (text.length + 1) * (to.length + 1) * 0.1);
    return text.replaceAll(from, () => to);
  }),
  method<[string, string, string, bigint]>(
    "replace",
    "string, string, string, int",
    "string",
    ([text, from, to, most], meter) => {
      meter.spend(1 + (text.length + 1) * (to.length + 1) * 0.1);
      let left = most < 0n ? Number.POSITIVE_INFINITY : Number(most);
      return text.replaceAll(from, (part) => (left-- > 0 ? to : part));
    },
  ),
  method<[string, string]>("split", "string, string", "list<string>", ([text, separator]) =>
    split(text, separator, -1),
  ),
  method<[string, string, bigint]>("split", "string, string, int", "list<string>", ([text, separator, most]) =>
    split(text, separator, Number(most)),
  ),
  method<[string, bigint]>("substring", "string, int", "string", ([text, from]) => {
    const runes = Array.from(text);
    if (from < 0n || from > BigInt(runes.length)) throw outOfRange(from);
    return runes.slice(Number(from)).join("");
  }),
  method<[string, bigint, bigint]>("substring", "string, int, int", "string", ([text, from, to]) => {
    if (from > to) throw new CelError(`invalid substring range. start: ${from}, end: ${to}`);
    const runes = Array.from(text);
    for (const index of [from, to]) if (index < 0n || index > BigInt(runes.length)) throw outOfRange(index);
    return runes.slice(Number(from), Number(to)).join("");
  }),
  fn<[string]>("strings.quote", "string", "string", ([text]) => quote(text)),
  method<[string, CelList]>("format", "string, list<dyn>", "string", ([text, values], meter) =>
    formatText(text, [...values] as CelValue[], meter),
  ),
];

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

function indexFrom(text: string, part: string, from: bigint): bigint {
  if (part === "") return from;
  if (from < 0n) throw outOfRange(from);
  const runes = Array.from(text);
  if (from >= BigInt(runes.length)) return -1n;
  const skipped = runes.slice(0, Number(from)).join("").length;
  const found = text.indexOf(part, skipped);
  return found === -1 ? -1n : BigInt(runeCount(text.slice(0, found)));
}

function lastIndexFrom(text: string, part: string, from: bigint): bigint {
  if (part === "") return from;
  if (from < 0n) throw outOfRange(from);
  const runes = Array.from(text);
  if (from >= BigInt(runes.length)) return -1n;
  const found = text.lastIndexOf(part, runes.slice(0, Number(from)).join("").length);
  return found === -1 ? -1n : BigInt(runeCount(text.slice(0, found)));
}

function join(list: CelList, separator: string, spend: (cost: number) => void): string {
  const parts: string[] = [];
  for (const part of list) {
    if (typeof part !== "string") throw new CelError(`join: invalid input: ${runtimeTypeName(part)}`);
    spend((part.length + separator.length) * 0.1);
    parts.push(part);
  }
  return parts.join(separator);
}

function split(text: string, separator: string, most: number): PlainList {
  if (most === 0) return new PlainList([]);
  const parts = separator === "" ? Array.from(text) : text.split(separator);
  if (most < 0 || parts.length <= most) return new PlainList(parts);
  return new PlainList([...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)]);
}

function quote(text: string): string {
  return `"${Array.from(text, (character) => namedEscapes[character] ?? character).join("")}"`;
}
