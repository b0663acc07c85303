import type { CheckedExpression, ResolvedCall } from "./cel-checker.ts";
import { CelBudgetExceeded, CelError, noSuchOverload } from "./cel-error.ts";
import type { CallNode, CelNode, IndexNode, LiteralValue, SelectNode } from "./cel-node.ts";
import {
  CelList,
  CelMap,
  CelOptional,
  CelTypeValue,
  CelUint,
  type CelValue,
  isOfType,
  PlainList,
  PlainMap,
} from "./cel-value.ts";
import { compileComprehension } from "./comprehensions.ts";
import { callCost } from "./library/call-cost.ts";
import { itemAt, valueAt } from "./library/operators.ts";
import type { Overload } from "./library/overload.ts";
import { type Macro, macroOf } from "./macros.ts";
import type { Meter } from "./meter.ts";

/** One evaluation: the variables, what macros put into their places, and what it has cost. */
export interface Frame {
  readonly variables: Readonly<Record<string, CelValue | undefined>>;
  readonly locals: CelValue[];
  readonly meter: Meter;
}

export type Evaluate = (frame: Frame) => CelValue;

/** Where the variables of macros are kept while the expression is compiled. */
export type Locals = ReadonlyMap<string, number>;

const nameCost = 1;
const listCost = 10;
const mapCost = 30;

export function compileExpression(node: CelNode, checked: CheckedExpression): Evaluate {
  return new Compiler(checked.calls).compile(node, new Map());
}

class Compiler {
  readonly #calls: ReadonlyMap<CelNode, ResolvedCall>;
  #localCount = 0;

  constructor(calls: ReadonlyMap<CelNode, ResolvedCall>) {
    this.#calls = calls;
  }

  /** A place for a variable of a macro. */
  nextLocal(): number {
    return this.#localCount++;
  }

  compile(node: CelNode, locals: Locals): Evaluate {
    switch (node.kind) {
      case "literal": {
        const value = literalValue(node.value);
        return () => value;
      }
      case "name":
        return compileName(node.name, locals);
      case "select":
        return this.#select(node, locals);
      case "index":
        return this.#index(node, locals);
      case "list": {
        const elements = node.elements.map((element) => this.compile(element, locals));
        return (frame) => {
          frame.meter.spend(listCost);
          return new PlainList(elements.map((element) => element(frame)));
        };
      }
      case "map":
        return this.#map(node.entries, locals);
      case "call":
        return this.#call(node, locals);
    }
  }

  #map(entries: readonly (readonly [CelNode, CelNode])[], locals: Locals): Evaluate {
    const compiled = entries.map(([key, value]) => [this.compile(key, locals), this.compile(value, locals)] as const);
    return (frame) => {
      frame.meter.spend(mapCost);
      return new PlainMap(compiled.map(([key, value]) => [key(frame), value(frame)]));
    };
  }

  #select({ operand, field, optional }: SelectNode, locals: Locals): Evaluate {
    const target = this.compile(operand, locals);
    return (frame) => {
      const value = target(frame);
      frame.meter.spend(nameCost);
      if (value instanceof CelOptional || optional) return optionalField(value, field);
      if (!(value instanceof CelMap)) throw noSuchOverload();
      return valueAt(value, field);
    };
  }

  #index({ operand, index, optional }: IndexNode, locals: Locals): Evaluate {
    const target = this.compile(operand, locals);
    const key = this.compile(index, locals);
    return (frame) => {
      const value = target(frame);
      const at = key(frame);
      frame.meter.spend(nameCost);
      if (value instanceof CelOptional || optional) return optionalPart(value, at);
      return partAt(value, at);
    };
  }

  #call(node: CallNode, locals: Locals): Evaluate {
    const macro = macroOf(node);
    if (macro !== undefined) return this.#macro(macro, locals);
    const call = this.#calls.get(node);
    if (call === undefined) throw new CelError(`no such function: ${node.name}`);
    const args = call.args.map((argument) => this.compile(argument, locals));
    return compileLazy(call.name, args) ?? compileCall(call, args);
  }

  #macro(macro: Macro, locals: Locals): Evaluate {
    if (macro.kind === "has") return this.#has(macro.select, locals);
    if ("variables" in macro) return compileComprehension(this, macro, locals);
    const place = this.nextLocal();
    const range = this.compile(macro.range, locals);
    const result = this.compile(macro.result, new Map(locals).set(macro.variable, place));
    return (frame) => {
      const optional = range(frame);
      if (!(optional instanceof CelOptional)) throw noSuchOverload();
      if (optional.value === undefined) return optional;
      frame.locals[place] = optional.value;
      return macro.kind === "optMap" ? new CelOptional(result(frame)) : result(frame);
    };
  }

  #has({ operand, field }: SelectNode, locals: Locals): Evaluate {
    const target = this.compile(operand, locals);
    return (frame) => {
      const value = target(frame);
      if (value instanceof CelOptional) return (optionalField(value, field) as CelOptional).value !== undefined;
      if (!(value instanceof CelMap)) throw noSuchOverload();
      return value.find(field) !== undefined;
    };
  }
}

function compileName(name: string, locals: Locals): Evaluate {
  const place = locals.get(name);
  if (place !== undefined)
    return (frame) => {
      frame.meter.spend(nameCost);
      return frame.locals[place] ?? null;
    };
  return (frame) => {
    frame.meter.spend(nameCost);
    const value = frame.variables[name];
    return value === undefined ? new CelTypeValue(name) : value;
  };
}

function literalValue(value: LiteralValue): CelValue {
  return typeof value === "object" && value !== null && "uint" in value ? new CelUint(value.uint) : value;
}

/** Those of whose arguments not all may be evaluated. */
function compileLazy(name: string, args: readonly Evaluate[]): Evaluate | undefined {
  const [first, second, third] = args;
  if (first === undefined || second === undefined) return undefined;
  if (name === "_&&_") return (frame) => decide(first, second, false, frame);
  if (name === "_||_") return (frame) => decide(first, second, true, frame);
  if (name === "_?_:_" && third !== undefined)
    return (frame) => {
      const condition = first(frame);
      if (typeof condition !== "boolean") throw noSuchOverload();
      return condition ? second(frame) : third(frame);
    };
  if (name === "orValue" || name === "or") return (frame) => fallback(first(frame), name, () => second(frame));
  return undefined;
}

/** Either side decides; an error counts only when the other side does not. */
function decide(first: Evaluate, second: Evaluate, deciding: boolean, frame: Frame): boolean {
  let error: unknown;
  for (const side of [first, second]) {
    try {
      const value = side(frame);
      if (value === deciding) return deciding;
      if (typeof value !== "boolean") error ??= noSuchOverload();
    } catch (caught) {
      if (!(caught instanceof CelError)) throw caught;
      error ??= caught;
    }
  }
  if (error !== undefined) throw error;
  return !deciding;
}

function fallback(optional: CelValue, name: string, other: () => CelValue): CelValue {
  if (!(optional instanceof CelOptional)) throw noSuchOverload();
  if (optional.value === undefined) return other();
  return name === "or" ? optional : optional.value;
}

function compileCall({ name, overloads }: ResolvedCall, args: readonly Evaluate[]): Evaluate {
  const [only] = overloads;
  return (frame) => {
    const values = args.map((argument) => argument(frame));
    frame.meter.spend(callCost(name, values));
    const overload = overloads.length === 1 && only !== undefined ? only : fitting(overloads, values);
    if (!overload.parameters.every((type, index) => isOfType(values[index] ?? null, type))) throw noSuchOverload();
    return overload.apply(values, frame.meter);
  };
}

function fitting(overloads: readonly Overload[], values: readonly CelValue[]): Overload {
  const overload = overloads.find(({ parameters }) =>
    parameters.every((type, index) => isOfType(values[index] ?? null, type)),
  );
  if (overload === undefined) throw noSuchOverload();
  return overload;
}

function partAt(value: CelValue, at: CelValue): CelValue {
  if (value instanceof CelList) return itemAt(value, at);
  if (value instanceof CelMap) return valueAt(value, at);
  throw noSuchOverload();
}

function optionalField(value: CelValue, field: string): CelValue {
  const target = value instanceof CelOptional ? value.value : value;
  if (target === undefined) return CelOptional.none;
  if (!(target instanceof CelMap)) throw noSuchOverload();
  return new CelOptional(target.find(field));
}

function optionalPart(value: CelValue, at: CelValue): CelValue {
  const target = value instanceof CelOptional ? value.value : value;
  if (target === undefined) return CelOptional.none;
  if (target instanceof CelMap) return new CelOptional(target.find(at));
  try {
    return new CelOptional(partAt(target, at));
  } catch (error) {
    if (error instanceof CelBudgetExceeded) throw error;
    return CelOptional.none;
  }
}
