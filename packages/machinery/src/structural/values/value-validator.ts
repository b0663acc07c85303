import { equalJson, isJsonObject, type JsonObject, type JsonValue } from "../../patches/json-value.ts";
import { isInt64, runeCount } from "../errors/go-text.ts";
import type { SchemaNode } from "../schema/schema-node.ts";
import { checkChoices } from "./choices.ts";
import { textHasFormat } from "./formats.ts";
import { checkNumber } from "./number-checks.ts";
import { checkType } from "./type-check.ts";
import {
  enumFinding,
  type Finding,
  invalidFinding,
  requiredFinding,
  tooLongFinding,
  tooManyFinding,
  typeFinding,
  ValueResult,
} from "./value-result.ts";

/** Checks the parts of a value; an update replaces it by one that forgives what was wrong before. */
export interface PartChecks {
  field(name: string, value: JsonValue, node: SchemaNode, path: string): ValueResult;
  item(index: number, value: JsonValue, node: SchemaNode, path: string): ValueResult;
}

const plainChecks: PartChecks = {
  field: (_name, value, node, path) => checkValue(value, node, path, plainChecks),
  item: (_index, value, node, path) => checkValue(value, node, path, plainChecks),
};

/**
 * Everything that the schema says of a value except its rules in CEL and the kinds of its lists. The order of the checks is that of
 * the API server, and so is what each counts as a match.
 */
export function checkValue(
  value: JsonValue,
  node: SchemaNode,
  path: string,
  parts: PartChecks = plainChecks,
): ValueResult {
  const result = new ValueResult();
  if (value === null) {
    result.merge(checkType(value, node, path));
    result.merge(checkEnum(value, node, path));
    return result;
  }
  if (node.types.length > 0 || node.values.format !== "") {
    result.merge(checkType(value, node, path));
    result.matchCount++;
  }
  result.merge(checkChoices(node, path, (alternative) => checkValue(value, alternative, path, parts)));
  result.matchCount++;
  for (const check of checksFor(value, node, path, parts)) {
    result.merge(check);
    result.matchCount++;
  }
  result.matchCount++;
  return result;
}

function* checksFor(
  value: Exclude<JsonValue, null>,
  node: SchemaNode,
  path: string,
  parts: PartChecks,
): Generator<ValueResult | undefined> {
  if (typeof value === "string") {
    yield checkText(value, node, path);
    const hasFormat = node.values.format === "" ? undefined : textHasFormat(value, node.values.format);
    if (hasFormat !== undefined) yield hasFormat ? undefined : resultOf(typeFinding(path, node.values.format, value));
  }
  if (typeof value === "number") yield checkNumber(value, node, path);
  if (Array.isArray(value)) yield checkList(value, node, path, parts);
  yield checkEnum(value, node, path);
  if (isJsonObject(value)) yield checkObject(value, node, path, parts);
}

function resultOf(finding: Finding): ValueResult {
  const result = new ValueResult();
  result.add(finding);
  return result;
}

function checkEnum(value: JsonValue, { values }: SchemaNode, path: string): ValueResult | undefined {
  if (values.enum.length === 0) return undefined;
  const isSupported = value !== null && values.enum.some((option) => option !== null && isOption(value, option));
  return isSupported ? undefined : resultOf(enumFinding(path, value, values.enum));
}

/** The server converts a value to the option's type first: 1.5 is 1 to it, and the number 97 is "a". */
function isOption(value: JsonValue, option: JsonValue): boolean {
  if (typeof value === "number" && typeof option === "number" && isInt64(option)) return Math.trunc(value) === option;
  if (typeof value === "number" && typeof option === "string" && isInt64(value)) return option === runeText(value);
  return equalJson(option, value);
}

function runeText(code: number): string {
  return code >= 0 && code <= 0x10ffff && (code & 0xfff800) !== 0xd800 ? String.fromCodePoint(code) : "\ufffd";
}

/** Only the first thing that is wrong with a text is told. */
function checkText(value: string, { values }: SchemaNode, path: string): ValueResult | undefined {
  const { maxLength, minLength, pattern } = values;
  if (maxLength !== undefined && runeCount(value) > maxLength) return resultOf(tooLongFinding(path, maxLength));
  if (minLength !== undefined && runeCount(value) < minLength)
    return resultOf(invalidFinding(path, value, `${path} in body should be at least ${minLength} chars long`));
  if (pattern === undefined || pattern.test(value)) return undefined;
  const { source, problem } = pattern;
  const shown = problem === undefined ? source : `${source}, but pattern is invalid: ${problem}`;
  return resultOf(invalidFinding(path, value, `${path} in body should match '${shown}'`));
}

function checkList(value: readonly JsonValue[], node: SchemaNode, path: string, parts: PartChecks): ValueResult {
  const { minItems, maxItems, uniqueItems } = node.values;
  const result = new ValueResult();
  if (node.items !== undefined) {
    for (const [index, item] of value.entries()) result.merge(parts.item(index, item, node.items, `${path}[${index}]`));
  }
  if (minItems !== undefined && value.length < minItems)
    result.add(invalidFinding(path, value.length, `${path} in body should have at least ${minItems} items`));
  if (maxItems !== undefined && value.length > maxItems)
    result.add(tooManyFinding(path, "items", { actual: value.length, most: maxItems }));
  if (uniqueItems && hasDuplicates(value))
    result.add(invalidFinding(path, undefined, `${path} in body shouldn't contain duplicates`));
  result.matchCount++;
  return result;
}

function hasDuplicates(items: readonly JsonValue[]): boolean {
  return items.some((item, position) => items.slice(0, position).some((other) => equalJson(item, other)));
}

function checkObject(value: JsonObject, node: SchemaNode, path: string, parts: PartChecks): ValueResult {
  const { minProperties, maxProperties, required } = node.values;
  const count = Object.keys(value).length;
  const result = new ValueResult();
  if (minProperties !== undefined && count < minProperties)
    result.add(invalidFinding(path, count, `${path} in body should have at least ${minProperties} properties`));
  if (maxProperties !== undefined && count > maxProperties)
    result.add(tooManyFinding(path, "properties", { actual: count, most: maxProperties }));
  checkAdditional(result, value, { node, path, parts });
  for (const name of Object.keys(value)) {
    const property = node.properties.get(name);
    if (property === undefined) continue;
    result.merge(parts.field(name, value[name] ?? null, property, path === "" ? name : `${path}.${name}`));
  }
  for (const name of required) {
    if (!Object.hasOwn(value, name)) result.add(requiredFinding(`${path}.${name}`));
  }
  return result;
}

interface ObjectPlace {
  readonly node: SchemaNode;
  readonly path: string;
  readonly parts: PartChecks;
}

function checkAdditional(result: ValueResult, value: JsonObject, { node, path, parts }: ObjectPlace): void {
  const { additionalProperties, properties } = node;
  if (additionalProperties === undefined || additionalProperties === true) return;
  for (const [name, field] of Object.entries(value)) {
    if (properties.has(name)) continue;
    if (additionalProperties === false)
      result.add(invalidFinding(path, name, `${path}.${name} in body is a forbidden property`));
    else result.merge(parts.field(name, field, additionalProperties, `${path}.${name}`));
  }
}
