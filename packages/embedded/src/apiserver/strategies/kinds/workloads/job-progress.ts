import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid, omittedValue } from "@stowage/machinery/structural";
import { sameJson } from "../../json-fields.ts";
import { hasCondition } from "./job-conditions.ts";

/** A Job before and after a write of its status. Most checks are made when something that they look at has changed. */
export interface Progress {
  readonly job: JsonObject;
  readonly old: JsonObject;
  readonly spec: JsonObject;
  readonly status: JsonObject;
  readonly before: JsonObject;
}

/** Names with a capital are those of conditions. */
export function changed({ job, old, status, before }: Progress, ...names: readonly string[]): boolean {
  return names.some((name) =>
    /^[A-Z]/u.test(name) ? hasCondition(job, name) !== hasCondition(old, name) : !sameJson(status[name], before[name]),
  );
}

export function isFinished(job: JsonObject): boolean {
  return hasCondition(job, "Complete") || hasCondition(job, "Failed");
}

/** Which conditions do not go together. `when` names what must have changed; without it the check is always made. */
interface ConditionCheck {
  readonly when?: readonly string[];
  readonly isWrong: (has: (type: string) => boolean, spec: JsonObject) => boolean;
  readonly detail: string;
}

export const endings: readonly ConditionCheck[] = [
  {
    when: ["Complete", "Failed"],
    isWrong: (has) => has("Complete") && has("Failed"),
    detail: "cannot set Complete=True and Failed=true conditions",
  },
  {
    when: ["Complete", "FailureTarget"],
    isWrong: (has) => has("Complete") && has("FailureTarget"),
    detail: "cannot set Complete=True and FailureTarget=true conditions",
  },
];

export const targets: readonly ConditionCheck[] = [
  {
    when: ["Failed", "failedIndexes"],
    isWrong: (has) => has("Failed") && !has("FailureTarget"),
    detail: "cannot set Failed=True condition without the FailureTarget=true condition",
  },
  {
    when: ["Complete", "SuccessCriteriaMet"],
    isWrong: (has) => has("Complete") && !has("SuccessCriteriaMet"),
    detail: "cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
  },
];

export const criteria: readonly ConditionCheck[] = [
  {
    isWrong: (has) => has("SuccessCriteriaMet") && has("Failed"),
    detail: "cannot set SuccessCriteriaMet=True and Failed=true conditions",
  },
  {
    isWrong: (has) => has("SuccessCriteriaMet") && has("FailureTarget"),
    detail: "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions",
  },
  {
    isWrong: (has, spec) => spec["successPolicy"] !== undefined && !has("SuccessCriteriaMet") && has("Complete"),
    detail: "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True",
  },
];

export function conditionErrors(progress: Progress, checks: readonly ConditionCheck[]): FieldError[] {
  const has = (type: string) => hasCondition(progress.job, type);
  return checks
    .filter(({ when, isWrong }) => (when === undefined || changed(progress, ...when)) && isWrong(has, progress.spec))
    .map(({ detail }) => invalid("status.conditions", omittedValue, detail));
}
