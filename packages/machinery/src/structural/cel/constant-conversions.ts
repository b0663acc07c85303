import { CelError } from "./cel-error.ts";
import type { CelNode } from "./cel-node.ts";
import { libraryFunctions } from "./library/index.ts";
import { Meter } from "./meter.ts";

const conversions: ReadonlySet<string> = new Set(["int", "uint", "double", "bool"]);

/** Why a conversion of a text that is written out fails: the server tries those when it takes the rule, not when it runs it. */
export function constantProblem(node: CelNode): string | undefined {
  if (node.kind === "call" && node.target === undefined && conversions.has(node.name)) {
    const [argument] = node.args;
    if (argument?.kind === "literal" && typeof argument.value === "string") return tried(node.name, argument.value);
  }
  for (const part of partsOf(node)) {
    const problem = constantProblem(part);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function tried(name: string, text: string): string | undefined {
  const overload = libraryFunctions()
    .get(name)
    ?.find(({ parameters }) => parameters[0]?.kind === "string");
  try {
    overload?.apply([text], new Meter());
    return undefined;
  } catch (error) {
    if (error instanceof CelError) return error.message;
    throw error;
  }
}

function partsOf(node: CelNode): readonly CelNode[] {
  switch (node.kind) {
    case "literal":
    case "name":
      return [];
    case "select":
      return [node.operand];
    case "index":
      return [node.operand, node.index];
    case "list":
      return node.elements;
    case "map":
      return node.entries.flat();
    case "call":
      return node.target === undefined ? node.args : [node.target, ...node.args];
  }
}
