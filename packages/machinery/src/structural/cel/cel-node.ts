import { runeCount } from "../errors/go-text.ts";

/** An expression, taken apart. Each part knows where its mark stands in the source: a name, an operator, an opening bracket. */
export type CelNode =
  | { readonly kind: "literal"; readonly value: LiteralValue; readonly at: number }
  | { readonly kind: "name"; readonly name: string; readonly at: number }
  | SelectNode
  | IndexNode
  | CallNode
  | { readonly kind: "list"; readonly elements: readonly CelNode[]; readonly at: number }
  | { readonly kind: "map"; readonly entries: readonly (readonly [CelNode, CelNode])[]; readonly at: number };

export type LiteralValue = null | boolean | bigint | number | string | Uint8Array | { readonly uint: bigint };

export interface SelectNode {
  readonly kind: "select";
  readonly operand: CelNode;
  readonly field: string;
  readonly optional: boolean;
  readonly at: number;
}

export interface IndexNode {
  readonly kind: "index";
  readonly operand: CelNode;
  readonly index: CelNode;
  readonly optional: boolean;
  readonly at: number;
}

/** Operators are functions too: `_+_`, `_&&_`, `_?_:_`. */
export interface CallNode {
  readonly kind: "call";
  readonly name: string;
  readonly target: CelNode | undefined;
  readonly args: readonly CelNode[];
  readonly at: number;
}

/** What is wrong at a place in an expression. */
export interface CelIssue {
  readonly at: number;
  readonly message: string;
}

/** Issues as cel-go shows them: the place, the line, and a mark under it. */
export function describeIssues(source: string, issues: readonly CelIssue[]): string {
  return issues.map((issue) => describeIssue(source, issue)).join("\n");
}

function describeIssue(source: string, { at, message }: CelIssue): string {
  const before = source.slice(0, at);
  const lineNumber = before.split("\n").length;
  const lineStart = before.lastIndexOf("\n") + 1;
  const lineEnd = source.indexOf("\n", at);
  const line = source.slice(lineStart, lineEnd === -1 ? undefined : lineEnd).replaceAll("\t", " ");
  const column = runeCount(source.slice(lineStart, at));
  return `ERROR: <input>:${lineNumber}:${column + 1}: ${message}\n | ${line}\n | ${".".repeat(column)}^`;
}
