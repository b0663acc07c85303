import { CelError, noSuchOverload } from "./cel-error.ts";
import type { CelNode } from "./cel-node.ts";
import { CelList, CelMap, type CelValue, PlainList, PlainMap } from "./cel-value.ts";
import { sorted } from "./library/lists.ts";
import type { Comprehension } from "./macros.ts";
import type { Meter } from "./meter.ts";

interface Frame {
  readonly locals: CelValue[];
  readonly meter: Meter;
}

interface PartCompiler<F> {
  nextLocal(): number;
  compile(node: CelNode, locals: ReadonlyMap<string, number>): (frame: F) => CelValue;
}

interface Steps<F> {
  /** Puts each item into its places in turn, and stops when the visitor says so. No generator: rules spend their time here. */
  each(frame: F, visit: (key: CelValue, item: CelValue) => boolean): void;
  condition(frame: F): boolean;
  result(frame: F): CelValue;
}

/** What a step of a loop costs beside what is in it. */
const stepCost = 1;

/** The loops of CEL. Each goes over a list or a map that is there, so each ends. */
export function compileComprehension<F extends Frame>(
  compiler: PartCompiler<F>,
  macro: Comprehension,
  locals: ReadonlyMap<string, number>,
): (frame: F) => CelValue {
  const [first = "", second] = macro.variables;
  const places = [compiler.nextLocal(), compiler.nextLocal()] as const;
  const inner = new Map(locals).set(first, places[0]);
  if (second !== undefined) inner.set(second, places[1]);
  const range = compiler.compile(macro.range, locals);
  const condition = macro.condition && compiler.compile(macro.condition, inner);
  const result = macro.result && compiler.compile(macro.result, inner);
  return loop(macro.kind, {
    each(frame, visit) {
      visitEntries(range(frame), (key, value, only) => {
        frame.meter.spend(stepCost);
        frame.locals[places[0]] = second === undefined ? only : key;
        frame.locals[places[1]] = value;
        return visit(key, second === undefined ? only : value);
      });
    },
    condition: (frame) => condition === undefined || booleanOf(condition(frame)),
    result: (frame) => result?.(frame) ?? null,
  });
}

/** With the key, the value, and what a loop with one variable sees. */
function visitEntries(range: CelValue, visit: (key: CelValue, value: CelValue, only: CelValue) => boolean): void {
  if (range instanceof CelList) {
    for (let index = 0; index < range.size; index++) {
      const item = range.get(index);
      if (!visit(BigInt(index), item, item)) return;
    }
  } else if (range instanceof CelMap) {
    for (const key of range.keys()) if (!visit(key, range.find(key) ?? null, key)) return;
  } else {
    throw noSuchOverload();
  }
}

function booleanOf(value: CelValue): boolean {
  if (typeof value !== "boolean") throw noSuchOverload();
  return value;
}

function loop<F extends Frame>(kind: Comprehension["kind"], steps: Steps<F>): (frame: F) => CelValue {
  if (kind === "all") return (frame) => quantify(steps, frame, false);
  if (kind === "exists") return (frame) => quantify(steps, frame, true);
  if (kind === "existsOne") return (frame) => collect(steps, frame, (_, item) => item).length === 1;
  if (kind === "filter") return (frame) => new PlainList(collect(steps, frame, (_, item) => item));
  if (kind === "sortBy") return (frame) => sortedBy(steps, frame);
  return (frame) => transformed(kind, steps, frame);
}

/** The first item that decides ends it; an error counts only when none decides. */
function quantify<F extends Frame>(steps: Steps<F>, frame: F, deciding: boolean): boolean {
  let error: CelError | undefined;
  let isDecided = false;
  steps.each(frame, () => {
    try {
      isDecided = steps.condition(frame) === deciding;
    } catch (caught) {
      if (!(caught instanceof CelError)) throw caught;
      error ??= caught;
    }
    return !isDecided;
  });
  if (isDecided) return deciding;
  if (error !== undefined) throw error;
  return !deciding;
}

/** What is made of the items that the condition keeps, while each is in its place. */
function collect<F extends Frame, T>(steps: Steps<F>, frame: F, make: (key: CelValue, item: CelValue) => T): T[] {
  const found: T[] = [];
  steps.each(frame, (key, item) => {
    if (steps.condition(frame)) found.push(make(key, item));
    return true;
  });
  return found;
}

function sortedBy<F extends Frame>(steps: Steps<F>, frame: F): CelValue {
  const pairs = collect(steps, frame, (_, item) => ({ item, key: steps.result(frame) }));
  return sorted(
    pairs.map(({ item }) => item),
    pairs.map(({ key }) => key),
    frame.meter,
  );
}

function transformed<F extends Frame>(kind: Comprehension["kind"], steps: Steps<F>, frame: F): CelValue {
  const found = collect(steps, frame, (key) => [key, steps.result(frame)] as const);
  const results = found.map(([, result]) => result);
  if (kind === "transformMap") return new PlainMap(found);
  if (kind !== "transformMapEntry") return new PlainList(results);
  return new PlainMap(results.flatMap((result) => entriesOfMap(result)));
}

function entriesOfMap(map: CelValue): (readonly [CelValue, CelValue])[] {
  if (!(map instanceof CelMap)) throw noSuchOverload();
  return map.keys().map((key) => [key, map.find(key) ?? null]);
}
