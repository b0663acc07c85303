import { goText } from "../go-text/index.ts";
import { isJsonObject, type JsonValue } from "../patches/json-value.ts";
import { goSyntax, goType } from "./go-text.ts";
import { itemElement } from "./list-items.ts";
import { elementText, indexElement, type PathElement } from "./path-element.ts";
import {
  fieldType,
  type ListSchema,
  type MapSchema,
  type ScalarKind,
  shapeOf,
  type TypedSchema,
} from "./typed-schema.ts";

interface Problem {
  /** Where it is, from the object's root; empty for the root. */
  readonly path: string;
  readonly message: string;
}

export interface ValidationOptions {
  /** What is stored may have two items with the same keys; what is applied may not. */
  readonly allowDuplicates: boolean;
}

/** Why a value is not of a type, in the words of the original; undefined when it is. */
export function typeProblem(type: TypedSchema, value: JsonValue, options: ValidationOptions): string | undefined {
  const problems = problemsOf(type, value, options);
  if (problems.length === 0) return undefined;
  const lines = problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return lines.length === 1 ? lines[0] : ["errors:", ...lines.map((line) => `  ${line}`)].join("\n");
}

function problemsOf(type: TypedSchema, value: JsonValue, options: ValidationOptions): Problem[] {
  const shape = shapeOf(type, value);
  if (shape === "map" && type.map) return mapProblems(type.map, value, options);
  if (shape === "list" && type.list) return listProblems(type.list, value, options);
  return type.scalar === undefined ? [] : scalarProblems(type.scalar, value);
}

function scalarProblems(kind: ScalarKind, value: JsonValue): Problem[] {
  if (value === null) return [];
  switch (kind) {
    case "numeric":
      return typeof value === "number" ? [] : [at("", `expected numeric (int or float), got ${goType(value)}`)];
    case "string":
      return typeof value === "string"
        ? []
        : [at("", `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`)];
    case "boolean":
      return typeof value === "boolean" ? [] : [at("", `expected boolean, got &{${goText(value)}}`)];
    case "untyped":
      return typeof value === "object" ? [at("", `expected any scalar, got &{${goText(value)}}`)] : [];
  }
}

function mapProblems(map: MapSchema, value: JsonValue, options: ValidationOptions): Problem[] {
  if (value === null) return [];
  if (!isJsonObject(value)) return [at("", `expected map, got &{${goText(value)}}`)];
  const problems: Problem[] = [];
  for (const name of Object.keys(value)) {
    const type = fieldType(map, name);
    // The original looks no further at an object with a field that it does not know.
    if (type === undefined) return [...problems, at(`.${name}`, "field not declared in schema")];
    const inner = problemsOf(type, value[name] ?? null, options);
    if (inner.length > 0) problems.push(...below(`.${name}`, inner));
  }
  return problems;
}

function listProblems(list: ListSchema, value: JsonValue, options: ValidationOptions): Problem[] {
  if (value === null) return [];
  if (!Array.isArray(value)) return [at("", `expected list, got &{${goText(value)}}`)];
  const problems: Problem[] = [];
  const seen = new Set<string>();
  const type = list.item();
  for (const [position, item] of value.entries()) {
    const element: PathElement | string = list.isAtomic ? indexElement(position) : itemElement(list, item);
    // Without its keys nothing in the item can be named.
    if (typeof element === "string") return [...problems, at("", `element ${position}: ${element}`)];
    if (seen.has(element.id) && !options.allowDuplicates) {
      problems.push(at("", `duplicate entries for key ${elementText(element)}`));
    }
    seen.add(element.id);
    const inner = problemsOf(type, item, options);
    if (inner.length > 0) problems.push(...below(elementText(element), inner));
  }
  return problems;
}

function at(path: string, message: string): Problem {
  return { path, message };
}

function below(place: string, problems: readonly Problem[]): Problem[] {
  return problems.map(({ path, message }) => ({ path: place + path, message }));
}
