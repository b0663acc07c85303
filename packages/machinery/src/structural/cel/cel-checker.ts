import type { CallNode, CelIssue, CelNode, IndexNode, LiteralValue, SelectNode } from "./cel-node.ts";
import {
  boolType,
  type CelType,
  dynType,
  errorType,
  intType,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  parseType,
  simple,
  stringType,
  typeName,
} from "./cel-type.ts";
import { escapeName } from "./escaped-names.ts";
import { libraryFunctions } from "./library/index.ts";
import type { Overload } from "./library/overload.ts";
import { literalProblem } from "./literal-checks.ts";
import { type Comprehension, type Macro, macroOf } from "./macros.ts";
import { isDynamic, TypeSolver } from "./type-solver.ts";

/** What is known of an expression once it has been checked. */
export interface CheckedExpression {
  readonly type: CelType;
  readonly issues: readonly CelIssue[];
  /** The forms of a function that a call can mean, and whether it is called by its qualified name, without a target. */
  readonly calls: ReadonlyMap<CelNode, ResolvedCall>;
  readonly variables: ReadonlySet<string>;
}

export interface ResolvedCall {
  readonly name: string;
  readonly overloads: readonly Overload[];
  readonly args: readonly CelNode[];
}

type Scope = ReadonlyMap<string, CelType>;

const typeNames: ReadonlySet<string> = new Set([
  "int",
  "uint",
  "double",
  "bool",
  "string",
  "bytes",
  "null_type",
  "list",
  "map",
  "type",
]);

export function checkExpression(node: CelNode, variables: Scope): CheckedExpression {
  const checker = new Checker();
  const type = checker.check(node, variables);
  return {
    type: checker.solver.resolve(type, true),
    issues: checker.issues.toSorted((a, b) => a.at - b.at),
    calls: checker.calls,
    variables: checker.variables,
  };
}

class Checker {
  readonly solver = new TypeSolver();
  readonly issues: CelIssue[] = [];
  readonly calls = new Map<CelNode, ResolvedCall>();
  readonly variables = new Set<string>();
  /** Within the arguments of a function that takes values of any type. */
  #mixes = false;

  check(node: CelNode, scope: Scope): CelType {
    switch (node.kind) {
      case "literal":
        return literalType(node.value);
      case "name":
        return this.#name(node.name, node.at, scope);
      case "select":
        return this.#select(node, scope);
      case "index":
        return this.#index(node, scope);
      case "list":
        return listOf(this.#elements(node.elements, scope));
      case "map":
        return mapOf(
          this.#elements(
            node.entries.map(([key]) => key),
            scope,
          ),
          this.#elements(
            node.entries.map(([, value]) => value),
            scope,
          ),
        );
      case "call":
        return this.#call(node, scope);
    }
  }

  #issue(at: number, message: string): CelType {
    this.issues.push({ at, message });
    return errorType;
  }

  #name(name: string, at: number, scope: Scope): CelType {
    const type = scope.get(name);
    if (type !== undefined) {
      this.variables.add(name);
      return type;
    }
    if (typeNames.has(name)) return { kind: "type", of: name === "null_type" ? nullType : parseType(name) };
    return this.#issue(at, `undeclared reference to '${name}' (in container '')`);
  }

  #select(node: SelectNode, scope: Scope): CelType {
    const operand = this.solver.resolve(this.check(node.operand, scope));
    const isOptional = operand.kind === "optional";
    const result = this.#fieldType(isOptional ? operand.element : operand, node);
    return isOptional || node.optional ? optionalOf(result) : result;
  }

  #fieldType(target: CelType, { field, at }: SelectNode): CelType {
    if (target.kind === "map") return target.value;
    if (target.kind === "object")
      return (
        target.fields.get(field) ??
        target.fields.get(escapeName(field) ?? "") ??
        this.#issue(at, `undefined field '${field}'`)
      );
    if (isDynamic(target) || target.kind === "parameter") return dynType;
    this.#issue(at, `type '${typeName(target)}' does not support field selection`);
    return dynType;
  }

  #index(node: IndexNode, scope: Scope): CelType {
    const operand = this.solver.resolve(this.check(node.operand, scope));
    const isOptional = operand.kind === "optional";
    const types = [isOptional ? operand.element : operand, this.check(node.index, scope)];
    const result = this.#resolve({ name: "_[_]", args: [node.operand, node.index], at: node.at }, types, node);
    return isOptional || node.optional ? optionalOf(result) : result;
  }

  /** Elements of one literal are of one type, except where `format` takes them. */
  #elements(elements: readonly CelNode[], scope: Scope): CelType {
    const [first, ...rest] = elements;
    if (first === undefined) return this.solver.fresh();
    let type = this.check(first, scope);
    for (const element of rest) {
      const next = this.check(element, scope);
      const fits = this.solver.fits([next], [type]);
      if (!fits && !this.#mixes) {
        const [wanted, found] = [type, next].map((one) => typeName(this.solver.resolve(one)));
        this.#issue(element.at, `expected type '${wanted}' but found '${found}'`);
      }
      if (!fits || isDynamic(next)) type = dynType;
    }
    return type;
  }

  #call(node: CallNode, scope: Scope): CelType {
    const macro = macroOf(node);
    if (macro !== undefined) return this.#macro(macro, node, scope);
    if (node.name === "has" && node.target === undefined && node.args.length === 1)
      return this.#issue(node.args[0]?.at ?? node.at, "invalid argument to has() macro");
    const qualified = this.#qualifiedName(node, scope);
    if (qualified !== undefined) {
      const call = { name: qualified, args: node.args, at: node.at };
      return this.#resolve(
        call,
        node.args.map((argument) => this.check(argument, scope)),
        node,
      );
    }
    if (node.name === "_&&_" || node.name === "_||_") return this.#logical(node, scope);
    const args = node.target === undefined ? node.args : [node.target, ...node.args];
    const mixed = this.#mixes;
    this.#mixes ||= node.name === "format";
    const types = args.map((argument) => this.check(argument, scope));
    this.#mixes = mixed;
    const problem = literalProblem(node);
    if (problem !== undefined) this.issues.push(problem);
    return this.#resolve({ name: node.name, args, at: node.at, isMember: node.target !== undefined }, types, node);
  }

  #logical(node: CallNode, scope: Scope): CelType {
    for (const side of node.args) this.#assertBool(side, this.check(side, scope));
    this.calls.set(node, { name: node.name, overloads: [], args: node.args });
    return boolType;
  }

  #assertBool(node: CelNode, type: CelType): void {
    if (this.solver.fits([type], [boolType])) return;
    this.#issue(node.at, `expected type 'bool' but found '${typeName(this.solver.resolve(type))}'`);
  }

  /** `sets.contains(…)` has a namespace, unless there is a variable of that name. */
  #qualifiedName({ target, name }: CallNode, scope: Scope): string | undefined {
    if (target?.kind !== "name" || scope.has(target.name)) return undefined;
    const qualified = `${target.name}.${name}`;
    return libraryFunctions().has(qualified) ? qualified : undefined;
  }

  #resolve(call: Call, types: readonly CelType[], node: CelNode): CelType {
    const isMember = call.isMember === true;
    const known = libraryFunctions().get(call.name);
    if (known === undefined) return this.#issue(call.at, `undeclared reference to '${call.name}' (in container '')`);
    const overloads: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of known) {
      if (overload.isMember !== isMember) continue;
      const [returned = dynType, ...parameters] = this.solver.instantiate([overload.result, ...overload.parameters]);
      if (!this.solver.fits(types, parameters)) continue;
      overloads.push(overload);
      const type = this.solver.resolve(returned);
      result = result === undefined || typeName(result) === typeName(type) ? type : dynType;
    }
    if (result === undefined) {
      const shown = types.map((type) => typeName(this.solver.resolve(type, true)));
      const [target, ...rest] = shown;
      const signature = isMember ? `${target}.(${rest.join(", ")})` : `(${shown.join(", ")})`;
      return this.#issue(call.at, `found no matching overload for '${call.name}' applied to '${signature}'`);
    }
    this.calls.set(node, { name: call.name, overloads, args: call.args });
    return result;
  }

  #macro(macro: Macro, node: CallNode, scope: Scope): CelType {
    if (macro.kind === "has") {
      this.check(macro.select, scope);
      return boolType;
    }
    if ("variables" in macro) return this.#comprehension(macro, node, scope);
    const range = this.solver.resolve(this.check(macro.range, scope));
    const element = range.kind === "optional" ? range.element : dynType;
    const result = this.check(macro.result, new Map(scope).set(macro.variable, element));
    return macro.kind === "optMap" ? optionalOf(result) : result;
  }

  #comprehension(macro: Comprehension, node: CallNode, scope: Scope): CelType {
    const range = this.solver.resolve(this.check(macro.range, scope));
    const inner = this.#iteration(macro, range, scope);
    const condition = macro.condition === undefined ? boolType : this.check(macro.condition, inner);
    const result = macro.result === undefined ? dynType : this.check(macro.result, inner);
    const kept = macro.kind === "filter" ? this.#kept(range) : listOf(result);
    if (macro.condition !== undefined) this.#condition(macro, macro.condition, { type: condition, kept, at: node.at });
    switch (macro.kind) {
      case "all":
      case "exists":
      case "existsOne":
        return boolType;
      case "filter":
        return kept;
      case "sortBy":
        return range;
      case "map":
      case "transformList":
        return listOf(result);
      case "transformMap":
        return mapOf(range.kind === "map" ? range.key : intType, result);
      case "transformMapEntry":
        return result;
    }
  }

  /** The scope in which the parts of a comprehension are evaluated. */
  #iteration({ range, variables }: Comprehension, type: CelType, scope: Scope): Scope {
    const [key, value] = this.#iterated(type, range.at);
    const [first = "", second] = variables;
    const inner = new Map(scope);
    if (second === undefined) return inner.set(first, type.kind === "list" ? value : key);
    return inner.set(first, key).set(second, value);
  }

  #iterated(type: CelType, at: number): [CelType, CelType] {
    if (type.kind === "list") return [intType, type.element];
    if (type.kind === "map") return [type.key, type.value];
    if (isDynamic(type) || type.kind === "parameter") return [dynType, dynType];
    const message = `expression of type '${typeName(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
    this.#issue(at, message);
    return [errorType, errorType];
  }

  #kept(range: CelType): CelType {
    return range.kind === "map" ? listOf(range.key) : range;
  }

  #condition(macro: Comprehension, node: CelNode, { type, kept, at }: Condition): void {
    if (macro.kind === "all" || macro.kind === "exists") return this.#assertBool(node, type);
    if (this.solver.fits([type], [boolType])) return;
    const found = typeName(this.solver.resolve(type));
    const sides = macro.kind === "existsOne" ? "int" : typeName(this.solver.resolve(kept));
    this.#issue(at, `found no matching overload for '_?_:_' applied to '(${found}, ${sides}, ${sides})'`);
  }
}

interface Condition {
  readonly type: CelType;
  /** What the comprehension collects where the condition holds. */
  readonly kept: CelType;
  readonly at: number;
}

interface Call {
  readonly name: string;
  readonly args: readonly CelNode[];
  readonly at: number;
  readonly isMember?: boolean;
}

function literalType(value: LiteralValue): CelType {
  if (value === null) return nullType;
  if (typeof value === "string") return stringType;
  if (typeof value === "boolean") return boolType;
  if (typeof value === "bigint") return intType;
  if (typeof value === "number") return simple("double");
  return simple(value instanceof Uint8Array ? "bytes" : "uint");
}
