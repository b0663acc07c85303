import { Environment, ParseError } from "@marcbachmann/cel-js";
import type { CelIssue, CelNode, LiteralValue } from "./cel-node.ts";

/** An expression that cannot be read. */
export class CelSyntaxError extends Error {
  override readonly name = "CelSyntaxError";
  readonly issue: CelIssue;

  constructor(issue: CelIssue) {
    super(issue.message);
    this.issue = issue;
  }
}

/** Of the library, only the parser is used: types, wording and limits here are those of the API server. */
interface LibraryNode {
  readonly op: string;
  readonly args: unknown;
  readonly start: number;
  readonly end: number;
}

const maxDepth = 250;

let environment: Environment | undefined;

export function parseCel(source: string): CelNode {
  environment ??= new Environment({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: { maxAstNodes: 20_000, maxDepth, maxListElements: 10_000, maxMapEntries: 10_000, maxCallArguments: 100 },
  });
  try {
    return new Converter(source).convert(environment.parse(source).ast);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new CelSyntaxError(issueOf(error, source));
  }
}

/** What an expression can begin with, as the grammar of cel-go names it. */
const beginnings =
  "expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

function issueOf(error: ParseError, source: string): CelIssue {
  const at = Math.min(error.range?.start ?? 0, source.length);
  if (error.code === "invalid_macro_argument") {
    const dot = source.lastIndexOf(".", at);
    return {
      at: dot === -1 || /\w/.test(source.slice(dot + 1, at)) ? at : dot,
      message: "argument must be a simple name",
    };
  }
  if (error.code === "reserved_identifier") {
    const word = /^\w+/.exec(source.slice(at))?.[0] ?? "";
    return { at, message: `reserved identifier: ${word}` };
  }
  const isAtEnd = source.slice(at).trim() === "";
  const token = isAtEnd ? "<EOF>" : (/^(\w+|==|!=|<=|>=|&&|\|\||\S)/.exec(source.slice(at))?.[0] ?? "");
  const what = isAtEnd ? "mismatched" : "extraneous";
  const expecting = error.code === "unexpected_token" ? ` ${beginnings}` : "";
  return { at, message: `Syntax error: ${what} input '${token}'${expecting}` };
}

const operators: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "&&", "||"]);

/** Turns the library's tree into ours, and finds the places that cel-go would name. */
class Converter {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  convert(node: LibraryNode): CelNode {
    switch (node.op) {
      case "value":
        return { kind: "literal", value: literalOf(node.args), at: node.start };
      case "id":
        return { kind: "name", name: node.args as string, at: node.start };
      case "list":
        return { kind: "list", elements: this.#all(node.args), at: node.start };
      case "map":
        return { kind: "map", entries: this.#entries(node.args), at: node.start };
      case "call":
      case "rcall":
        return this.#call(node);
      default:
        return this.#operation(node);
    }
  }

  #all(nodes: unknown): CelNode[] {
    return (nodes as LibraryNode[]).map((node) => this.convert(node));
  }

  #entries(entries: unknown): [CelNode, CelNode][] {
    return (entries as [LibraryNode, LibraryNode][]).map(([key, value]) => [this.convert(key), this.convert(value)]);
  }

  #call(node: LibraryNode): CelNode {
    if (node.op === "call") {
      const [name, args] = node.args as [string, LibraryNode[]];
      const at = this.#find("(", node.start);
      return { kind: "call", name, target: undefined, args: this.#all(args), at };
    }
    const [name, target, args] = node.args as [string, LibraryNode, LibraryNode[]];
    const dot = this.#find(".", target.end);
    const at = this.#find("(", dot);
    return { kind: "call", name, target: this.convert(target), args: this.#all(args), at };
  }

  #operation(node: LibraryNode): CelNode {
    const { op } = node;
    if (op === "!_" || op === "-_") return this.#unary(node);
    const [left, right, third] = node.args as [LibraryNode, LibraryNode, LibraryNode];
    const at = this.#find(markOf(op), left.end);
    if (op === "." || op === ".?")
      return {
        kind: "select",
        operand: this.convert(left),
        field: right as unknown as string,
        optional: op === ".?",
        at,
      };
    const operand = this.convert(left);
    const second = this.convert(right);
    if (op === "[]" || op === "[?]") return { kind: "index", operand, index: second, optional: op === "[?]", at };
    if (op === "?:")
      return { kind: "call", name: "_?_:_", target: undefined, args: [operand, second, this.convert(third)], at };
    const name = operators.has(op) ? `_${op}_` : `@${op}`;
    return { kind: "call", name, target: undefined, args: [operand, second], at };
  }

  /** A minus before a number is part of it. */
  #unary(node: LibraryNode): CelNode {
    const operand = this.convert(node.args as LibraryNode);
    const isMinus = node.op === "-_";
    if (isMinus && operand.kind === "literal" && ["bigint", "number"].includes(typeof operand.value))
      return { kind: "literal", value: -(operand.value as number), at: node.start };
    return { kind: "call", name: isMinus ? "-_" : "!_", target: undefined, args: [operand], at: node.start };
  }

  /** The next place of a mark outside comments. */
  #find(mark: string, from: number): number {
    let position = from;
    while (position < this.#source.length) {
      if (this.#source.startsWith("//", position) && mark !== "/") {
        const end = this.#source.indexOf("\n", position);
        position = end === -1 ? this.#source.length : end;
      } else if (this.#source.startsWith(mark, position)) {
        return position;
      } else {
        position++;
      }
    }
    return from;
  }
}

function markOf(op: string): string {
  if (op === "[]" || op === "[?]") return "[";
  if (op === "?:") return "?";
  return op === ".?" ? "." : op;
}

function literalOf(value: unknown): LiteralValue {
  if (typeof value === "object" && value !== null && !(value instanceof Uint8Array))
    return { uint: (value as { value: bigint }).value };
  return value as LiteralValue;
}
