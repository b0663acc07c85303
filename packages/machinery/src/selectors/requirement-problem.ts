import { labelValueErrors, qualifiedNameErrors } from "../names/index.ts";
import { type LabelOperator, type LabelRequirement, parseInt64 } from "./label-requirement.ts";

/** What Kubernetes would object to, in its words; undefined when nothing. */
export function requirementProblem(requirement: LabelRequirement): string | undefined {
  const { key, values } = requirement;
  const problems = [
    ...problemAt("key", key, qualifiedNameErrors(key)),
    ...valueCountProblems(requirement),
    ...values.flatMap((value, i) => integerProblems(requirement.operator, value, i)),
    ...values.flatMap((value, i) => problemAt(`values[${i}][${key}]`, value, labelValueErrors(value))),
  ];
  return problems.length > 1 ? `[${problems.join(", ")}]` : problems[0];
}

/** A field's errors as one problem; a problem that stands for no field is said to be at `<nil>`. */
export function problemAt(path: string, value: string, errors: readonly string[]): string[] {
  return errors.length === 0 ? [] : [`${path}: Invalid value: ${JSON.stringify(value)}: ${errors.join("; ")}`];
}

const exactlyOne = [1, 1, "exact-match compatibility requires one single value"] as const;
const atLeastOne = [1, Number.POSITIVE_INFINITY, "for 'in', 'notin' operators, values set can't be empty"] as const;
const none = [0, 0, "values set must be empty for exists and does not exist"] as const;
const oneInteger = [1, 1, "for 'Gt', 'Lt' operators, exactly one value is required"] as const;

/** How many values an operator takes, at least and at most, and what is said otherwise. */
const valueCounts: Readonly<Record<LabelOperator, readonly [number, number, string]>> = {
  "=": exactlyOne,
  "==": exactlyOne,
  "!=": exactlyOne,
  in: atLeastOne,
  notin: atLeastOne,
  exists: none,
  "!": none,
  gt: oneInteger,
  lt: oneInteger,
};

function valueCountProblems({ operator, values }: LabelRequirement): string[] {
  const [least, most, problem] = valueCounts[operator];
  if (values.length >= least && values.length <= most) return [];
  return [`values: Invalid value: ${JSON.stringify(values)}: ${problem}`];
}

function integerProblems(operator: LabelOperator, value: string, index: number): string[] {
  if ((operator !== "gt" && operator !== "lt") || parseInt64(value) !== undefined) return [];
  return problemAt(`values[${index}]`, value, ["for 'Gt', 'Lt' operators, the value must be an integer"]);
}
