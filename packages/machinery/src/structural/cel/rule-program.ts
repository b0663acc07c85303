import type { ValidationRule } from "../../api/index.ts";
import type { SchemaNode } from "../schema/schema-node.ts";
import { checkExpression } from "./cel-checker.ts";
import { compileExpression, type Evaluate } from "./cel-compiler.ts";
import { describeIssues } from "./cel-node.ts";
import { CelSyntaxError, parseCel } from "./cel-parser.ts";
import { type CelType, optionalOf } from "./cel-type.ts";
import { constantProblem } from "./constant-conversions.ts";
import { findField } from "./field-paths.ts";

/** A rule that can be run, or says why not. */
export interface RuleProgram {
  readonly rule: ValidationRule;
  readonly evaluate: Evaluate | undefined;
  readonly problem: string | undefined;
  readonly usesOldSelf: boolean;
  readonly evaluateMessage: Evaluate | undefined;
  readonly messageProblem: string | undefined;
  /** Where its failure is told, below the value that it is about; empty for that value itself. */
  readonly fieldPath: string;
}

interface Expression {
  readonly evaluate: Evaluate | undefined;
  readonly problem: string | undefined;
  readonly usesOldSelf: boolean;
}

export function compileRule(rule: ValidationRule, node: SchemaNode, self: CelType): RuleProgram {
  const oldSelf = rule.optionalOldSelf === true ? optionalOf(self) : self;
  const variables = new Map([
    ["self", self],
    ["oldSelf", oldSelf],
  ]);
  const main = compile(rule.rule, variables, "bool");
  const message = rule.messageExpression ? compile(rule.messageExpression, variables, "string") : undefined;
  const field = rule.fieldPath ? findField(rule.fieldPath, node) : "";
  return {
    rule,
    ...main,
    evaluateMessage: main.problem === undefined ? message?.evaluate : undefined,
    messageProblem: main.problem === undefined ? message?.problem : undefined,
    fieldPath: typeof field === "string" ? "" : field.path,
  };
}

function compile(source: string, variables: ReadonlyMap<string, CelType>, wanted: "bool" | "string"): Expression {
  const prefix = wanted === "bool" ? "" : "messageExpression ";
  const failed = (problem: string): Expression => ({ evaluate: undefined, problem, usesOldSelf: false });
  try {
    const node = parseCel(source);
    const checked = checkExpression(node, variables);
    if (checked.issues.length > 0)
      return failed(`${prefix}compilation failed: ${describeIssues(source, checked.issues)}`);
    if (checked.type.kind !== wanted)
      return failed(`${wanted === "bool" ? "cel expression" : "messageExpression"} must evaluate to a ${wanted}`);
    const conversion = constantProblem(node);
    if (conversion !== undefined) return failed(`${prefix}program instantiation failed: ${conversion}`);
    const usesOldSelf = checked.variables.has("oldSelf");
    return { evaluate: compileExpression(node, checked), problem: undefined, usesOldSelf };
  } catch (error) {
    if (!(error instanceof CelSyntaxError)) throw error;
    return failed(`${prefix}compilation failed: ${describeIssues(source, [error.issue])}`);
  }
}
