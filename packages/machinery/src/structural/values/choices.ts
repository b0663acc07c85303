import { goQuote } from "../../go-text/index.ts";
import type { SchemaNode } from "../schema/schema-node.ts";
import { plainFinding, ValueResult } from "./value-result.ts";

/** `anyOf`, `oneOf`, `allOf` and `not`. Of alternatives that all fail, the one that matched most is told. */
export function checkChoices(node: SchemaNode, path: string, check: Check): ValueResult {
  const result = new ValueResult();
  const { anyOf, oneOf, allOf, not } = node.values;
  if (anyOf.length > 0) checkAnyOf(result, anyOf, check, path);
  if (oneOf.length > 0) checkOneOf(result, oneOf, check, path);
  if (allOf.length > 0) checkAllOf(result, allOf, check, path);
  if (not !== undefined && check(not).isValid)
    result.add(plainFinding(`${goQuote(path)} must not validate the schema (not)`));
  result.matchCount++;
  return result;
}

type Check = (alternative: SchemaNode) => ValueResult;

function checkAnyOf(result: ValueResult, alternatives: readonly SchemaNode[], check: Check, path: string): void {
  let best: ValueResult | undefined;
  for (const alternative of alternatives) {
    const checked = check(alternative);
    if (checked.isValid) {
      result.merge(checked);
      return;
    }
    if (best === undefined || checked.matchCount > best.matchCount) best = checked;
  }
  result.add(plainFinding(`${goQuote(path)} must validate at least one schema (anyOf)`));
  result.merge(best);
}

function checkOneOf(result: ValueResult, alternatives: readonly SchemaNode[], check: Check, path: string): void {
  const checks = alternatives.map(check);
  const valid = checks.filter(({ isValid }) => isValid);
  if (valid.length === 1) {
    result.merge(valid[0]);
    return;
  }
  const found = valid.length === 0 ? "Found none valid" : `Found ${valid.length} valid alternatives`;
  result.add(plainFinding(`${goQuote(path)} must validate one and only one schema (oneOf). ${found}`));
  result.merge(bestFailure(checks));
}

/** Failures count until an alternative fits, and no longer. */
function bestFailure(checks: readonly ValueResult[]): ValueResult | undefined {
  if (checks.some(({ isValid }) => isValid)) return undefined;
  return checks.reduce<ValueResult | undefined>(
    (best, next) => (best === undefined || next.matchCount > best.matchCount ? next : best),
    undefined,
  );
}

function checkAllOf(result: ValueResult, alternatives: readonly SchemaNode[], check: Check, path: string): void {
  let validated = 0;
  for (const alternative of alternatives) {
    const checked = check(alternative);
    if (checked.isValid) validated++;
    result.merge(checked);
  }
  if (validated === alternatives.length) return;
  const none = validated === 0 ? ". None validated" : "";
  result.add(plainFinding(`${goQuote(path)} must validate all the schemas (allOf)${none}`));
}
