import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { duplicate, type FieldError, invalid, omittedValue, required } from "@stowage/machinery/structural";
import { fieldsOf, listOf, numberOf, specOf, textOf } from "../../json-fields.ts";
import { nonNegativeErrors } from "../number-checks.ts";
import { conditionStatus, hasCondition } from "./job-conditions.ts";
import { countedIndexes, overlapProblem } from "./job-indexes.ts";
import { changed, conditionErrors, criteria, endings, isFinished, type Progress, targets } from "./job-progress.ts";
import { shownPart } from "./workload-types.ts";

export function jobStatusErrors(job: JsonObject, old: JsonObject): FieldError[] {
  const progress: Progress = {
    job,
    old,
    spec: specOf(job),
    status: fieldsOf(job["status"]),
    before: fieldsOf(old["status"]),
  };
  return [
    ...nonNegativeErrors(progress.status, "status", ["active", "succeeded", "failed", "ready", "terminating"]),
    ...uncountedErrors(fieldsOf(progress.status["uncountedTerminatedPods"])),
    ...conditionErrors(progress, endings),
    ...timeErrors(progress),
    ...conditionErrors(progress, targets),
    ...finishedErrors(progress),
    ...indexErrors(progress),
    ...podErrors(progress),
    ...conditionErrors(progress, criteria),
    ...updateErrors(progress),
  ];
}

function uncountedErrors(uncounted: JsonObject): FieldError[] {
  const seen = new Set<JsonValue>();
  return ["succeeded", "failed"].flatMap((list) =>
    listOf(uncounted[list]).flatMap((uid, index) => {
      const path = `status.uncountedTerminatedPods.${list}[${index}]`;
      if (uid === "") return [invalid(path, uid, "must not be empty")];
      if (seen.has(uid)) return [duplicate(path, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

function timeErrors(progress: Progress): FieldError[] {
  const { job, status } = progress;
  const path = "status.completionTime";
  const { startTime, completionTime } = status;
  const isComplete = hasCondition(job, "Complete");
  const isNew = changed(progress, "Complete", "completionTime");
  const isEarly = Date.parse(textOf(completionTime)) < Date.parse(textOf(startTime));
  const errors: FieldError[] = [];
  if (isNew && completionTime !== undefined && !isComplete) {
    errors.push(invalid(path, completionTime, "cannot set completionTime when there is no Complete=True condition"));
  }
  if (isNew && completionTime === undefined && isComplete) {
    errors.push(required(path, "completionTime is required for Complete jobs"));
  }
  if (changed(progress, "startTime", "completionTime") && isEarly) {
    errors.push(invalid(path, completionTime, "must be equal to or after `startTime`"));
  }
  return errors;
}

function finishedErrors(progress: Progress): FieldError[] {
  const { job, spec, status } = progress;
  if (!isFinished(job)) return [];
  const isNew = !isFinished(progress.old);
  const { active, startTime, uncountedTerminatedPods } = status;
  const uncounted = fieldsOf(uncountedTerminatedPods);
  const left = listOf(uncounted["failed"]).length + listOf(uncounted["succeeded"]).length;
  const neverStarts = spec["suspend"] === true && spec["completions"] === 0;
  const errors: FieldError[] = [];
  if ((isNew || changed(progress, "active")) && (numberOf(active) ?? 0) > 0) {
    errors.push(invalid("status.active", active, "active>0 is invalid for finished job"));
  }
  if ((isNew || changed(progress, "startTime")) && !neverStarts && startTime === undefined) {
    errors.push(required("status.startTime", "startTime is required for finished job"));
  }
  if ((isNew || changed(progress, "uncountedTerminatedPods")) && left > 0) {
    const shown = shownPart("UncountedTerminatedPods", uncounted);
    errors.push(invalid("status.uncountedTerminatedPods", shown, "must be empty for finished job"));
  }
  return errors;
}

function indexErrors(progress: Progress): FieldError[] {
  const { spec, status } = progress;
  const { completedIndexes, failedIndexes } = status;
  const completions = numberOf(spec["completions"]);
  const [done, lost] = [textOf(completedIndexes), textOf(failedIndexes)];
  const [isDoneNew, isLostNew] = [changed(progress, "completedIndexes"), changed(progress, "failedIndexes")];
  const hasLimit = spec["backoffLimitPerIndex"] !== undefined;
  const formats = [
    ["completedIndexes", done, isDoneNew],
    ["failedIndexes", lost, isLostNew && hasLimit && failedIndexes !== undefined],
  ] as const;
  const ofFormat = formats.flatMap(([name, text, isChecked]) => {
    const counted = isChecked && completions !== undefined ? countedIndexes(text, completions) : 0;
    return typeof counted === "string" ? [invalid(`status.${name}`, text, `error parsing ${name}: ${counted}`)] : [];
  });
  const isUnindexed = isDoneNew && done !== "" && spec["completionMode"] !== "Indexed";
  const isUnlimited = isLostNew && !hasLimit && failedIndexes !== undefined;
  const overlap = isDoneNew || isLostNew ? overlapProblem(done, lost, completions ?? 0) : undefined;
  const unindexed = "cannot set non-empty completedIndexes when non-indexed completion mode";
  const unlimited = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
  return [
    ...ofFormat,
    ...(isUnindexed ? [invalid("status.completedIndexes", done, unindexed)] : []),
    ...(isUnlimited ? [invalid("status.failedIndexes", lost, unlimited)] : []),
    ...(overlap === undefined ? [] : [invalid("status.failedIndexes", lost, overlap)]),
  ];
}

function podErrors(progress: Progress): FieldError[] {
  const { job, old, status } = progress;
  const { terminating, ready, active } = status;
  const isNew = isFinished(job) !== isFinished(old) || changed(progress, "terminating");
  const isEnding = isNew && isFinished(job) && (numberOf(terminating) ?? 0) > 0;
  const isMore = changed(progress, "ready", "active") && (numberOf(ready) ?? 0) > (numberOf(active) ?? 0);
  return [
    ...(isEnding ? [invalid("status.terminating", terminating, "terminating>0 is invalid for finished job")] : []),
    ...(isMore ? [invalid("status.ready", ready, "cannot set more ready pods than active")] : []),
  ];
}

function updateErrors(progress: Progress): FieldError[] {
  const { job, old } = progress;
  const lost = ["Failed", "Complete", "FailureTarget"].filter(
    (type) => hasCondition(old, type) && !hasCondition(job, type),
  );
  const condition = (detail: string) => invalid("status.conditions", omittedValue, detail);
  const [wasMet, isMet] = [hasCondition(old, "SuccessCriteriaMet"), hasCondition(job, "SuccessCriteriaMet")];
  const isLate = hasCondition(old, "Complete") && !wasMet && isMet;
  return [
    ...lost.map((type) => condition(`cannot disable the terminal ${type}=True condition`)),
    ...counterErrors(progress),
    ...settledTimeErrors(progress),
    ...(wasMet && !isMet ? [condition("cannot disable the SuccessCriteriaMet=True condition")] : []),
    ...(isLate ? [condition("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions")] : []),
  ];
}

function counterErrors({ spec, status, before }: Progress): FieldError[] {
  const mayShrink = spec["completionMode"] === "Indexed" && spec["completions"] === spec["parallelism"];
  return ["failed", ...(mayShrink ? [] : ["succeeded"])]
    .filter((name) => (numberOf(status[name]) ?? 0) < (numberOf(before[name]) ?? 0))
    .map((name) => invalid(`status.${name}`, status[name] ?? 0, `cannot decrease the ${name} counter`));
}

function settledTimeErrors(progress: Progress): FieldError[] {
  const { job, old, spec, status, before } = progress;
  const isOther = status["completionTime"] !== undefined && before["completionTime"] !== undefined;
  const isResuming = hasCondition(old, "Suspended") && conditionStatus(job, "Suspended") === "False";
  const isMoved = before["startTime"] !== undefined && changed(progress, "startTime") && spec["suspend"] !== true;
  const detail = "field is immutable for unsuspended job once set";
  return [
    ...(isOther && changed(progress, "completionTime")
      ? [invalid("status.completionTime", status["completionTime"], "field is immutable")]
      : []),
    ...(isMoved && !isResuming ? [invalid("status.startTime", status["startTime"] ?? null, detail)] : []),
  ];
}
