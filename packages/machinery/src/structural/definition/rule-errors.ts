import type { JSONSchemaProps, ValidationRule } from "../../api/index.ts";
import { findField } from "../cel/field-paths.ts";
import type { RuleProgram } from "../cel/rule-program.ts";
import { compileRules } from "../cel/rule-tree.ts";
import { type FieldError, invalid, notSupported, required } from "../errors/field-error.ts";
import { child, indexed } from "../errors/field-path.ts";
import type { SchemaNode } from "../schema/schema-node.ts";

const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/** What is wrong with rules before they are compiled. */
export function ruleFormErrors(schema: JSONSchemaProps, path: string, node: () => SchemaNode): FieldError[] {
  return (schema["x-kubernetes-validations"] ?? []).flatMap((rule, index) => {
    const at = indexed(child(path, "x-kubernetes-validations"), index);
    return [...textErrors(rule, at), ...fieldPathErrors(rule, at, node)];
  });
}

function textErrors({ rule, message = "", messageExpression = "", reason }: ValidationRule, at: string): FieldError[] {
  const errors: FieldError[] = [];
  if (rule.trim() === "") errors.push(required(child(at, "rule"), "rule is not specified"));
  else if (message !== "" && message.trim() === "")
    errors.push(invalid(child(at, "message"), message, "must be non-empty if specified"));
  else if (hasLineBreak(message.trim()))
    errors.push(invalid(child(at, "message"), message, "must not contain line breaks"));
  else if (hasLineBreak(rule.trim()) && message.trim() === "")
    errors.push(required(child(at, "message"), "message must be specified if rule contains line breaks"));
  if (messageExpression !== "" && messageExpression.trim() === "")
    errors.push(required(child(at, "messageExpression"), "messageExpression must be non-empty if specified"));
  if (reason !== undefined && !reasons.includes(reason))
    errors.push(notSupported(child(at, "reason"), reason, reasons));
  return errors;
}

function fieldPathErrors({ fieldPath = "" }: ValidationRule, at: string, node: () => SchemaNode): FieldError[] {
  if (fieldPath === "") return [];
  const path = child(at, "fieldPath");
  return [
    ...(fieldPath.trim() === "" ? [invalid(path, fieldPath, "must be non-empty if specified")] : []),
    ...(hasLineBreak(fieldPath) ? [invalid(path, fieldPath, "must not contain line breaks")] : []),
    ...(typeof findField(fieldPath, node()) === "string" ? [invalid(path, fieldPath, "must be a valid path")] : []),
  ];
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}

interface RulePlace {
  readonly isRoot: boolean;
  readonly uncorrelatable: string | undefined;
  node(): SchemaNode;
}

/** What is wrong with the expressions of rules. */
export function ruleProgramErrors(schema: JSONSchemaProps, path: string, place: RulePlace): FieldError[] {
  if ((schema["x-kubernetes-validations"] ?? []).length === 0) return [];
  const node = place.node();
  return compileRules(node, place.isRoot || node.embeddedResource).flatMap((program, index) =>
    errorsOfProgram(program, indexed(child(path, "x-kubernetes-validations"), index), place.uncorrelatable),
  );
}

function errorsOfProgram(program: RuleProgram, at: string, uncorrelatable: string | undefined): FieldError[] {
  const { rule, problem, messageProblem, usesOldSelf } = program;
  const errors: FieldError[] = [];
  if (problem !== undefined) errors.push(invalid(child(at, "rule"), ruleStruct(rule), problem));
  if (messageProblem !== undefined)
    errors.push(invalid(child(at, "messageExpression"), ruleStruct(rule), messageProblem));
  if (usesOldSelf && uncorrelatable !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    errors.push(invalid(child(at, "rule"), rule.rule, detail));
  }
  if (!usesOldSelf && rule.optionalOldSelf !== undefined)
    errors.push(
      invalid(child(at, "optionalOldSelf"), rule.optionalOldSelf, "may not be set if oldSelf is not used in rule"),
    );
  return errors;
}

/** The rule as the server holds it, whose messages show it so. */
function ruleStruct(rule: ValidationRule): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ["Rule", rule.rule],
    ["Message", rule.message ?? ""],
    ["MessageExpression", rule.messageExpression ?? ""],
    ["Reason", rule.reason ?? null],
    ["FieldPath", rule.fieldPath ?? ""],
    ["OptionalOldSelf", rule.optionalOldSelf ?? null],
  ]);
}
