import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid, notSupported, required } from "@stowage/machinery/structural";
import { fieldsOf, metadataOf, specOf, textOf } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { withDefaults } from "../field-defaults.ts";
import { selectorValue } from "../label-selectors.ts";
import { nonNegativeErrors } from "../number-checks.ts";
import { scheduleProblem } from "./cron-schedules.ts";
import { jobTemplateDefaults } from "./job-defaults.ts";
import { jobPartErrors } from "./job-spec-errors.ts";
import { jobWarnings } from "./job-warnings.ts";
import { withEnabledPods } from "./pod-templates.ts";
import { isNewGeneration, podNameWarnings } from "./workload-warnings.ts";

export const cronJobRules: KindRules = {
  defaults: cronJobDefaults,
  prepareForCreate: withEnabledJobs,
  prepareForUpdate: withEnabledJobs,
  checks: {
    create: (object, metadata) => [...metadata, ...specErrors(specOf(object), undefined), ...lengthErrors(object)],
    update: (object, old, { changes }) => [...changes, ...specErrors(specOf(object), specOf(old))],
    // Its controller is believed.
    status: () => [],
  },
  warnings: cronJobWarnings,
};

const templatePath = "spec.jobTemplate.spec";

function cronJobDefaults(object: JsonObject): JsonObject {
  const spec = specOf(object);
  return {
    ...object,
    spec: {
      ...withDefaults(spec, {
        concurrencyPolicy: "Allow",
        suspend: false,
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
      }),
      jobTemplate: jobTemplateDefaults(spec["jobTemplate"]),
    },
  };
}

function withEnabledJobs(object: JsonObject): JsonObject {
  const spec = specOf(object);
  const jobTemplate = { ...fieldsOf(spec["jobTemplate"]), spec: withEnabledPods(jobOf(spec)) };
  return { ...object, spec: { ...spec, jobTemplate } };
}

function jobOf(spec: JsonObject): JsonObject {
  return specOf(fieldsOf(spec["jobTemplate"]));
}

/** A Job's name is that of its CronJob with eleven characters more. */
function lengthErrors(object: JsonObject): FieldError[] {
  const name = textOf(metadataOf(object)["name"]);
  return name.length > 52 ? [invalid("metadata.name", name, "must be no more than 52 characters")] : [];
}

function specErrors(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const job = jobOf(spec);
  const isNewZone = old === undefined || old["timeZone"] !== spec["timeZone"];
  return [
    ...scheduleErrors(spec, old),
    ...nonNegativeErrors(spec, "spec", ["startingDeadlineSeconds"]),
    ...(isNewZone ? timeZoneErrors(spec["timeZone"]) : []),
    ...concurrencyErrors(textOf(spec["concurrencyPolicy"])),
    ...jobPartErrors(job, templatePath, old && jobOf(old)),
    ...madeSelectorErrors(job),
    ...nonNegativeErrors(spec, "spec", ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"]),
  ];
}

function scheduleErrors(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const path = "spec.schedule";
  const schedule = textOf(spec["schedule"]);
  if (schedule === "") return [required(path)];
  const problem = scheduleProblem(schedule);
  const errors = problem === undefined ? [] : [invalid(path, schedule, problem)];
  if (!schedule.includes("TZ")) return errors;
  if (!textOf(old?.["schedule"]).includes("TZ")) {
    const detail = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
    return [...errors, invalid(path, schedule, detail)];
  }
  if (spec["timeZone"] === undefined) return errors;
  return [...errors, invalid(path, schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule")];
}

const zonePart = /^[A-Za-z.\-_0-9+]{1,14}$/u;

function timeZoneErrors(zone: JsonValue | undefined): FieldError[] {
  const path = "spec.timeZone";
  if (zone === undefined) return [];
  const name = textOf(zone);
  if (name === "") return [invalid(path, name, "timeZone must be nil or non-empty string")];
  const isOdd = (part: string) => part === "." || part === ".." || part.startsWith("-") || !zonePart.test(part);
  if (name.split("/").some(isOdd)) return [invalid(path, name, `unknown time zone ${name}`)];
  const detail = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
  if (name.toLowerCase() === "local") {
    return [invalid(path, name, detail), ...(name === "Local" ? [] : [invalid(path, name, unknownZone(name))])];
  }
  return isTimeZone(name) ? [] : [invalid(path, name, unknownZone(name))];
}

function unknownZone(name: string): string {
  return `unknown time zone ${name}`;
}

/** The names of zones are names of files to the original, so that their case counts. */
function isTimeZone(name: string): boolean {
  try {
    const known = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
    return known === name || known.toLowerCase() !== name.toLowerCase();
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function concurrencyErrors(policy: string): FieldError[] {
  const known = ["Allow", "Forbid", "Replace"];
  return known.includes(policy) ? [] : [notSupported("spec.concurrencyPolicy", policy, known)];
}

/** Each Job gets its own selector. */
function madeSelectorErrors({ selector, manualSelector }: JsonObject): FieldError[] {
  return [
    ...(selector === undefined
      ? []
      : [invalid(`${templatePath}.selector`, selectorValue(selector), "`selector` will be auto-generated")]),
    ...(manualSelector === true ? [notSupported(`${templatePath}.manualSelector`, true, ["nil", "false"])] : []),
  ];
}

function cronJobWarnings(object: JsonObject, old: JsonObject | undefined): string[] {
  const job = jobOf(specOf(object));
  if (old === undefined) return [...podNameWarnings(object), ...jobWarnings(job, templatePath)];
  const ofJob = isNewGeneration(object, old) ? jobWarnings(job, templatePath, jobOf(specOf(old))) : [];
  const help = "see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details";
  const zone = `cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, ${help}`;
  return textOf(specOf(object)["schedule"]).includes("TZ") ? [...ofJob, zone] : ofJob;
}
