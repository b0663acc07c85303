import { type CelType, dynType, listOf, mapOf, optionalOf } from "./cel-type.ts";

/** Finds out what the parameters of generic functions stand for in an expression. */
export class TypeSolver {
  readonly #bound = new Map<string, CelType>();
  #count = 0;

  fresh(): CelType {
    return { kind: "parameter", name: `_var${this.#count++}` };
  }

  /** The type with everything put in that is known. */
  resolve(type: CelType, unknownAsDyn = false): CelType {
    return replaceParameters(type, (parameter) => {
      const bound = this.#bound.get(parameter.name);
      if (bound !== undefined) return this.resolve(bound, unknownAsDyn);
      return unknownAsDyn ? dynType : parameter;
    });
  }

  /** A copy of types with parameters of their own. */
  instantiate(types: readonly CelType[]): CelType[] {
    const names = new Map<string, CelType>();
    return types.map((type) =>
      replaceParameters(type, ({ name }) => {
        const known = names.get(name) ?? this.fresh();
        names.set(name, known);
        return known;
      }),
    );
  }

  /** Whether each value fits its place. What it learns of parameters is kept only if all do. */
  fits(values: readonly CelType[], places: readonly CelType[]): boolean {
    const before = new Map(this.#bound);
    const all =
      values.length === places.length && values.every((value, index) => this.#fits(value, places[index] ?? dynType));
    if (!all) {
      this.#bound.clear();
      for (const [name, type] of before) this.#bound.set(name, type);
    }
    return all;
  }

  #fits(value: CelType, place: CelType): boolean {
    const from = this.#shallow(value);
    const to = this.#shallow(place);
    if (from.kind === "parameter" || to.kind === "parameter") return this.#bind(from, to);
    if (isDynamic(from) || isDynamic(to)) return true;
    if (from.kind === "null" || to.kind === "null")
      return from.kind === to.kind || takesNull(from.kind === "null" ? to : from);
    return this.#fitsInside(from, to);
  }

  #fitsInside(from: CelType, to: CelType): boolean {
    if (from.kind === "list" && to.kind === "list") return this.#fits(from.element, to.element);
    if (from.kind === "optional" && to.kind === "optional") return this.#fits(from.element, to.element);
    if (from.kind === "map" && to.kind === "map")
      return this.#fits(from.key, to.key) && this.#fits(from.value, to.value);
    if (from.kind === "type" && to.kind === "type") return true;
    if (from.kind === "object" && to.kind === "object") return from.name === to.name;
    if (from.kind === "opaque" && to.kind === "opaque") return from.name === to.name;
    return from.kind === to.kind;
  }

  #bind(from: CelType, to: CelType): boolean {
    if (from.kind === "parameter" && to.kind === "parameter" && from.name === to.name) return true;
    if (to.kind === "parameter") this.#bound.set(to.name, from);
    else if (from.kind === "parameter") this.#bound.set(from.name, to);
    return true;
  }

  #shallow(type: CelType): CelType {
    let shown = type;
    while (shown.kind === "parameter") {
      const bound = this.#bound.get(shown.name);
      if (bound === undefined) return shown;
      shown = bound;
    }
    return shown;
  }
}

type Parameter = CelType & { readonly kind: "parameter" };

function replaceParameters(type: CelType, replace: (parameter: Parameter) => CelType): CelType {
  const inner = (part: CelType) => replaceParameters(part, replace);
  if (type.kind === "parameter") return replace(type);
  if (type.kind === "list") return listOf(inner(type.element));
  if (type.kind === "optional") return optionalOf(inner(type.element));
  if (type.kind === "map") return mapOf(inner(type.key), inner(type.value));
  return type.kind === "type" ? { kind: "type", of: inner(type.of) } : type;
}

export function isDynamic(type: CelType): boolean {
  return type.kind === "dyn" || type.kind === "error";
}

function takesNull({ kind }: CelType): boolean {
  return ["object", "opaque", "timestamp", "duration", "optional"].includes(kind);
}
