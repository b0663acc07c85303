import { apply, create, each, type Fields, get, mergePatch, patch, remove, rows, update } from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

const jobs = "/apis/batch/v1/namespaces/{ns}/jobs";
const cronJobs = "/apis/batch/v1/namespaces/{ns}/cronjobs";

const template = (spec: Fields = {}, metadata: Fields = {}) => ({
  metadata,
  spec: { restartPolicy: "Never", containers: [{ name: "main", image: "example.test/app:1" }], ...spec },
});
const job = (spec: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "j", ...metadata },
  spec: { template: template(), ...spec },
});
const cronJob = (spec: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: "batch/v1",
  kind: "CronJob",
  metadata: { name: "c", ...metadata },
  spec: { schedule: "* * * * *", jobTemplate: { spec: { template: template() } }, ...spec },
});

const creations = (what: string, table: Readonly<Record<string, Fields>>): Sequence[] =>
  rows(what, Object.fromEntries(Object.entries(table).map(([name, spec]) => [name, create(jobs, job(spec))])));

const indexed = { completionMode: "Indexed", completions: 5 };
const exitCodes = (fields: Fields) => ({
  podFailurePolicy: { rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [1], ...fields } }] },
});
const conditions = (...patterns: readonly Fields[]) => ({
  podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: patterns }] },
});
const success = (...rules: readonly Fields[]) => ({ ...indexed, successPolicy: { rules } });
const many = (count: number, value: unknown): unknown[] => Array.from({ length: count }, () => value);

export const specs: readonly Sequence[] = creations("a Job with", {
  little: {},
  zeros: { parallelism: 0, completions: 0, backoffLimit: 0, activeDeadlineSeconds: 0, ttlSecondsAfterFinished: 0 },
  parallelism: { parallelism: 3 },
  completions: { completions: 3 },
  "negative numbers": {
    parallelism: -1,
    completions: -1,
    activeDeadlineSeconds: -1,
    backoffLimit: -1,
    ttlSecondsAfterFinished: -1,
    backoffLimitPerIndex: -1,
    maxFailedIndexes: -1,
  },
  indexes: indexed,
  "indexes and a limit": { ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 2 },
  "indexes without number": { completionMode: "Indexed", parallelism: 2 },
  "too many at once": { ...indexed, parallelism: 100_001 },
  "more failed indexes than there are": { ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 6 },
  "too many failed indexes": { completionMode: "Indexed", completions: 200_000, maxFailedIndexes: 100_001 },
  "many indexes": { completionMode: "Indexed", completions: 200_000, parallelism: 10_001, backoffLimitPerIndex: 1 },
  "many failed indexes": {
    completionMode: "Indexed",
    completions: 200_000,
    backoffLimitPerIndex: 1,
    maxFailedIndexes: 10_001,
  },
  "a warning": { completionMode: "Indexed", completions: 200_000, parallelism: 20_000 },
  "limits for indexes it does not have": { backoffLimitPerIndex: 1, maxFailedIndexes: 1 },
  "a mode that is none": { completionMode: "Own" },
  "a manager": { managedBy: "acme.test/foo" },
  "a manager without a domain": { managedBy: "foo" },
  "a manager of a bad domain": { managedBy: "A_b/foo" },
  "a manager of a bad path": { managedBy: "acme.test/a b" },
  "an empty manager": { managedBy: "" },
  "a long manager": { managedBy: `acme.test/${"x".repeat(60)}` },
  "a pause": { suspend: true },
  "replacements for what failed": { podReplacementPolicy: "Failed" },
  "replacements of its own": { podReplacementPolicy: "Own" },
  "Pods that go on": { template: template({ restartPolicy: "Always" }) },
  "Pods that say nothing": { template: template({ restartPolicy: null }) },
  "Pods that start again": { template: template({ restartPolicy: "OnFailure" }) },
  "Pods of another policy": { template: template({ restartPolicy: "Own" }) },
  "Pods with labels": { template: template({}, { labels: { a: "b" } }) },
  "Pods with its labels": { template: template({}, { labels: { "job-name": "other", "controller-uid": "x" } }) },
  "no template": { template: null },
  "a selector of its own": {
    manualSelector: true,
    selector: { matchLabels: { a: "b" } },
    template: template({}, { labels: { a: "b" } }),
  },
  "a selector of others": { manualSelector: true, selector: { matchLabels: { a: "b" } } },
  "a selector it was not asked for": { selector: { matchLabels: { a: "b" } } },
  "no selector though it has its own": { manualSelector: true },
  "a bad selector": { manualSelector: true, selector: { matchExpressions: [{ key: "a", operator: "Is" }] } },
});

export const policies: readonly Sequence[] = creations("a Job that judges by", {
  "exit codes": exitCodes({}),
  "exit codes of a container": exitCodes({ containerName: "main" }),
  "exit codes of an unknown container": exitCodes({ containerName: "other" }),
  "exit codes without operator": exitCodes({ operator: "" }),
  "exit codes with an unknown operator": exitCodes({ operator: "Is" }),
  "no exit codes": exitCodes({ values: null }),
  "too many exit codes": exitCodes({ operator: "NotIn", values: Array.from({ length: 256 }, (_, code) => code) }),
  "the exit code 0": exitCodes({ values: [0] }),
  "the exit code 0 that is not": exitCodes({ operator: "NotIn", values: [0] }),
  "exit codes in disorder": exitCodes({ values: [2, 1] }),
  "exit codes twice": exitCodes({ values: [1, 1] }),
  conditions: conditions({ type: "DisruptionTarget" }),
  "conditions with a status": conditions({ type: "DisruptionTarget", status: "False" }),
  "a bad condition": conditions({ type: "a b", status: "Maybe" }),
  "too many conditions": conditions(...(many(21, { type: "A" }) as Fields[])),
  "both kinds": {
    podFailurePolicy: {
      rules: [{ action: "Count", onExitCodes: { operator: "In", values: [1] }, onPodConditions: [{ type: "A" }] }],
    },
  },
  nothing: { podFailurePolicy: { rules: [{ action: "Count" }] } },
  "no rules": { podFailurePolicy: { rules: [] } },
  "too many rules": { podFailurePolicy: { rules: many(21, { action: "Count", onPodConditions: [{ type: "A" }] }) } },
  "no action": { podFailurePolicy: { rules: [{ onPodConditions: [{ type: "A" }] }] } },
  "an unknown action": { podFailurePolicy: { rules: [{ action: "Own", onPodConditions: [{ type: "A" }] }] } },
  "a failed index": { podFailurePolicy: { rules: [{ action: "FailIndex", onPodConditions: [{ type: "A" }] }] } },
  "Pods that start again": { ...exitCodes({}), template: template({ restartPolicy: "OnFailure" }) },
  "replacements too early": { ...exitCodes({}), podReplacementPolicy: "TerminatingOrFailed" },
  "success by indexes": success({ succeededIndexes: "0,2-4" }),
  "success by count": success({ succeededCount: 3 }),
  "success by neither": success({}),
  "success by too many": success({ succeededCount: 6 }),
  "success by less than nothing": success({ succeededCount: -1 }),
  "success by more than is named": success({ succeededIndexes: "1-2", succeededCount: 3 }),
  "success by a text": success({ succeededIndexes: "a" }),
  "success by an index that is none": success({ succeededIndexes: "5" }),
  "success by disorder": success({ succeededIndexes: "3,1" }),
  "success by a range backwards": success({ succeededIndexes: "3-1" }),
  "success by three parts": success({ succeededIndexes: "1-2-3" }),
  "no success": { ...indexed, successPolicy: { rules: [] } },
  "too much success": success(...(many(21, { succeededCount: 1 }) as Fields[])),
  "success without indexes": { successPolicy: { rules: [{ succeededCount: 1 }] } },
});

export const names: readonly Sequence[] = each("a Job named", ["a.b", "A", "x".repeat(63), "x".repeat(64)], (name) => [
  create(jobs, job({}, { name })),
  create(jobs, job(indexed, { name: `${name.slice(0, 62)}i` })),
]);

const own = `${jobs}/j`;
const merged = (spec: Fields, metadata?: Fields): Step =>
  patch(own, mergePatch, { spec, ...(metadata && { metadata }) });

export const updates: readonly Sequence[] = [
  ...rows(
    "a Job that runs",
    {
      "gets more at once": merged({ parallelism: 3 }),
      "gets other completions": merged({ completions: 3 }),
      "gets a deadline": merged({ activeDeadlineSeconds: 5 }),
      "gets a time to live": merged({ ttlSecondsAfterFinished: 5 }),
      "gets another limit": merged({ backoffLimit: 1 }),
      "gets another mode": merged({ completionMode: "Indexed" }),
      "gets another selector": merged({ selector: { matchLabels: { a: "b" } } }),
      "gets a policy": merged(exitCodes({})),
      "gets a manager": merged({ managedBy: "acme.test/foo" }),
      "is suspended": merged({ suspend: true }),
      "gets a label": merged({}, { labels: { a: "b" } }),
      "is replaced": update(own, job()),
      goes: [remove(own), get(own)],
      "goes with its Pods": [remove(`${own}?propagationPolicy=Background`), get(own)],
    },
    [create(jobs, job())],
  ),
  ...rows(
    "a Job of indexes",
    {
      "grows in all": merged({ completions: 7, parallelism: 7 }),
      "grows in part": merged({ completions: 7 }),
      "loses its completions": merged({ completions: null }),
      "gets a limit": merged({ backoffLimitPerIndex: 1 }),
      "gets another way to succeed": merged({ successPolicy: { rules: [{ succeededCount: 2 }] } }),
    },
    [create(jobs, job({ ...indexed, parallelism: 5 }))],
  ),
  ...rows(
    "a Job that waits",
    {
      "gets another place": merged({
        template: { spec: { nodeSelector: { a: "b" }, tolerations: [{ key: "a", operator: "Exists" }] } },
      }),
      "gets labels for its Pods": merged({ template: { metadata: { labels: { a: "b" }, annotations: { a: "b" } } } }),
      "asks for something": merged({
        template: {
          spec: { containers: [{ name: "main", image: "example.test/app:1", resources: { requests: { cpu: "1" } } }] },
        },
      }),
      "goes on": merged({ suspend: false }),
    },
    [create(jobs, job({ suspend: true }))],
  ),
  ...rows("a Job that is applied", {
    "is there": [
      apply(own, job()),
      apply(own, job({ parallelism: 2 })),
      apply(own, job({ parallelism: 3 }), { manager: "ben" }),
    ],
  }),
];

const told = (status: Fields): Step => patch(`${own}/status`, mergePatch, { status });
const condition = (type: string, status = "True") => ({ type, status });
const [start, end, early] = ["2020-01-01T00:00:00Z", "2020-01-01T00:01:00Z", "2019-01-01T00:00:00Z"];
const complete = {
  startTime: start,
  completionTime: end,
  conditions: [condition("SuccessCriteriaMet"), condition("Complete")],
};
const failed = { startTime: start, conditions: [condition("FailureTarget"), condition("Failed")] };

export const statuses: readonly Sequence[] = [
  ...rows(
    "a Job that has",
    {
      counts: told({ active: 1, ready: 1, succeeded: 1, failed: 1, terminating: 1 }),
      zeros: told({ active: 0, ready: 0, succeeded: 0, failed: 0, terminating: 0 }),
      "negative counts": told({ active: -1, ready: -1, succeeded: -1, failed: -1, terminating: -1 }),
      "more ready than active": told({ active: 1, ready: 2 }),
      "Pods to count": told({ uncountedTerminatedPods: { succeeded: ["a"], failed: ["b"] } }),
      "Pods to count twice": told({ uncountedTerminatedPods: { succeeded: ["a", "a", ""], failed: ["a"] } }),
      ended: told(complete),
      failed: told(failed),
      "ended and failed": told({ ...complete, conditions: [...complete.conditions, ...failed.conditions] }),
      "ended without a time": told({ ...complete, completionTime: null }),
      "a time though it has not ended": told({ startTime: start, completionTime: end }),
      "ended before it began": told({ ...complete, completionTime: early }),
      "ended without beginning": told({ ...complete, startTime: null }),
      "ended with Pods": told({ ...complete, active: 1, terminating: 1, ready: 1 }),
      "ended with Pods to count": told({ ...complete, uncountedTerminatedPods: { failed: ["b"] } }),
      "ended without a reason": told({ ...complete, conditions: [condition("Complete")] }),
      "failed without a reason": told({ ...failed, conditions: [condition("Failed")] }),
      "indexes it does not have": told({ completedIndexes: "0", failedIndexes: "0" }),
      "two reasons": told({ conditions: [condition("SuccessCriteriaMet"), condition("FailureTarget")] }),
      "ended and goes on": [told(complete), told({ conditions: [] }), told({ succeeded: 5 }), told({ succeeded: 4 })],
      "failed more and less": [told({ failed: 2, startTime: start }), told({ failed: 1 }), told({ startTime: end })],
      "another end": [told(complete), told({ completionTime: "2020-01-02T00:00:00Z" })],
      "met its criteria and not": [told({ conditions: [condition("SuccessCriteriaMet")] }), told({ conditions: [] })],
    },
    [create(jobs, job())],
  ),
  ...rows(
    "a Job of indexes that has",
    {
      indexes: told({ completedIndexes: "0,2-3", failedIndexes: "1" }),
      "the same twice": told({ completedIndexes: "0,2-3", failedIndexes: "3-4" }),
      "indexes that are none": told({ completedIndexes: "a", failedIndexes: "9" }),
      "ended early": told({ ...complete, conditions: [condition("Complete")] }),
      "less than before": [told({ succeeded: 3 }), told({ succeeded: 1 })],
    },
    [create(jobs, job({ ...success({ succeededCount: 1 }), backoffLimitPerIndex: 1 }))],
  ),
];

const cronPath = `${cronJobs}/c`;
const schedules = [
  "@daily",
  "@never",
  "@every 1h",
  "@every x",
  "* * * *",
  "* * * * * *",
  "60 * * * *",
  "* 24 * * *",
  "* * 0 * *",
  "* * * 13 *",
  "* * * * 7",
  "*/5 1-3 1,15 jan-mar mon",
  "5-1 * * * *",
  "*/0 * * * *",
  "a * * * *",
  "1-2-3 * * * *",
  "1/2/3 * * * *",
  "-1 * * * *",
  "? * * * ?",
  "TZ=UTC * * * * *",
  "CRON_TZ=UTC * * * * *",
  "",
];

export const crons: readonly Sequence[] = [
  ...each("a CronJob by the schedule", schedules, (schedule) => [create(cronJobs, cronJob({ schedule }))]),
  ...each(
    "a CronJob in the time zone",
    ["Europe/Berlin", "Nowhere/City", "UTC", "Local", "", "../etc", "Etc/GMT+5", "a b"],
    (timeZone) => [create(cronJobs, cronJob({ timeZone }))],
  ),
  ...rows(
    "a CronJob with",
    Object.fromEntries(
      Object.entries<Fields>({
        little: {},
        "a deadline": { startingDeadlineSeconds: 0 },
        "a negative deadline": { startingDeadlineSeconds: -1 },
        "no history": { successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 },
        "a negative history": { successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 },
        "its own way of more than one": { concurrencyPolicy: "Own" },
        "one at a time": { concurrencyPolicy: "Forbid", suspend: true },
        "no template": { jobTemplate: null },
        "Jobs with a selector": {
          jobTemplate: { spec: { template: template(), manualSelector: true, selector: { matchLabels: { a: "b" } } } },
        },
        "Jobs that are wrong": {
          jobTemplate: { spec: { template: template({ restartPolicy: "Always" }), parallelism: -1 } },
        },
        "Jobs that judge": { jobTemplate: { spec: { template: template(), ...conditions({ type: "A" }) } } },
        "Jobs with labels": { jobTemplate: { metadata: { labels: { a: "b c" } }, spec: { template: template() } } },
      }).map(([what, spec]) => [what, create(cronJobs, cronJob(spec))]),
    ),
  ),
  ...each("a CronJob named", ["a.b", "A", "x".repeat(52), "x".repeat(53)], (name) => [
    create(cronJobs, cronJob({}, { name })),
  ]),
  ...rows(
    "a CronJob that",
    {
      "gets another schedule": patch(cronPath, mergePatch, { spec: { schedule: "@hourly" } }),
      "gets a zone in its schedule": patch(cronPath, mergePatch, { spec: { schedule: "TZ=UTC * * * * *" } }),
      "gets an unknown zone": patch(cronPath, mergePatch, { spec: { timeZone: "Nowhere/City" } }),
      "is suspended": patch(cronPath, mergePatch, { spec: { suspend: true } }),
      "is told of its status": patch(`${cronPath}/status`, mergePatch, {
        spec: { suspend: true },
        status: { lastScheduleTime: "2020-01-01T00:00:00Z", active: [{ kind: "Job", name: "x", namespace: "" }] },
      }),
      "is applied": apply(cronPath, cronJob({ suspend: true }), { force: true }),
    },
    [create(cronJobs, cronJob())],
  ),
];
