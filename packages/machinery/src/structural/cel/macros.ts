import type { CallNode, CelNode, SelectNode } from "./cel-node.ts";

/** Calls whose arguments are not values: they name variables, and are evaluated as often as it takes. */
export type Macro =
  | { readonly kind: "has"; readonly select: SelectNode }
  | Comprehension
  | {
      readonly kind: "optMap" | "optFlatMap";
      readonly range: CelNode;
      readonly variable: string;
      readonly result: CelNode;
    };

export interface Comprehension {
  readonly kind: ComprehensionKind;
  readonly range: CelNode;
  /** One, or two: the index or key and the value. */
  readonly variables: readonly string[];
  readonly condition: CelNode | undefined;
  readonly result: CelNode | undefined;
}

export type ComprehensionKind =
  | "all"
  | "exists"
  | "existsOne"
  | "map"
  | "filter"
  | "sortBy"
  | "transformList"
  | "transformMap"
  | "transformMapEntry";

interface Form {
  readonly kind: ComprehensionKind;
  readonly variables: 1 | 2;
  readonly hasCondition: boolean;
  readonly hasResult: boolean;
}

const forms: ReadonlyMap<string, Form> = new Map([
  ...quantifier("all", "all"),
  ...quantifier("exists", "exists"),
  ...quantifier("exists_one", "existsOne"),
  ...quantifier("existsOne", "existsOne"),
  ["filter/2", { kind: "filter", variables: 1, hasCondition: true, hasResult: false }],
  ["map/2", { kind: "map", variables: 1, hasCondition: false, hasResult: true }],
  ["map/3", { kind: "map", variables: 1, hasCondition: true, hasResult: true }],
  ["sortBy/2", { kind: "sortBy", variables: 1, hasCondition: false, hasResult: true }],
  ...transform("transformList"),
  ...transform("transformMap"),
  ...transform("transformMapEntry"),
]);

function quantifier(name: string, kind: ComprehensionKind): [string, Form][] {
  return [
    [`${name}/2`, { kind, variables: 1, hasCondition: true, hasResult: false }],
    [`${name}/3`, { kind, variables: 2, hasCondition: true, hasResult: false }],
  ];
}

function transform(kind: ComprehensionKind): [string, Form][] {
  return [
    [`${kind}/3`, { kind, variables: 2, hasCondition: false, hasResult: true }],
    [`${kind}/4`, { kind, variables: 2, hasCondition: true, hasResult: true }],
  ];
}

/** Undefined for a call of a function. */
export function macroOf(node: CallNode): Macro | undefined {
  const { name, target, args } = node;
  const [first, second] = args;
  if (target === undefined)
    return name === "has" && args.length === 1 && first?.kind === "select" ? { kind: "has", select: first } : undefined;
  if ((name === "optMap" || name === "optFlatMap") && args.length === 2 && first?.kind === "name" && second)
    return { kind: name, range: target, variable: first.name, result: second };
  return comprehensionOf(node, target);
}

function comprehensionOf({ name, args }: CallNode, range: CelNode): Comprehension | undefined {
  const form = forms.get(`${name}/${args.length}`);
  if (form === undefined) return undefined;
  const variables: string[] = [];
  for (const variable of args.slice(0, form.variables)) {
    if (variable.kind !== "name") return undefined;
    variables.push(variable.name);
  }
  const rest = args.slice(form.variables);
  return {
    kind: form.kind,
    range,
    variables,
    condition: form.hasCondition ? rest[0] : undefined,
    result: form.hasResult ? rest.at(-1) : undefined,
  };
}
