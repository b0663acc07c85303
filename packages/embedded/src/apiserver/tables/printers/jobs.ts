import { type CronJob, type HorizontalPodAutoscaler, type Job, parseTime } from "@stowage/machinery";
import { type Ages, humanDuration } from "../ages.ts";
import { containerTexts, isTrue, shownSelector } from "../cell-texts.ts";
import { ageColumn, column, containerColumns, nameColumn, typed, wide } from "../columns.ts";
import { type Printers, printer, type Sparse } from "../printer.ts";

type SparseJob = Sparse<Job>;

export const jobPrinters: Printers = {
  "Job.batch": printer<Job>({
    columns: [
      nameColumn,
      column("Status", { says: "Status of the job." }),
      column("Completions", { of: "JobStatus.succeeded" }),
      column("Duration", { says: "Time required to complete the job." }),
      ageColumn,
      ...containerColumns,
      wide("Selector", { of: "JobSpec.selector" }),
    ],
    cells: (job, ages) => [
      job.metadata?.name ?? "",
      jobStatus(job),
      completionText(job),
      durationText(job, ages),
      ages.since(job.metadata?.creationTimestamp),
      ...containerTexts(job.spec?.template),
      shownSelector(job.spec?.selector),
    ],
  }),
  "CronJob.batch": printer<CronJob>({
    columns: [
      nameColumn,
      column("Schedule", { of: "CronJobSpec.schedule" }),
      column("Timezone", { of: "CronJobSpec.timeZone" }),
      typed("boolean", "Suspend", { of: "CronJobSpec.suspend" }),
      typed("integer", "Active", { of: "CronJobStatus.active" }),
      column("Last Schedule", { of: "CronJobStatus.lastScheduleTime" }),
      ageColumn,
      ...containerColumns,
      wide("Selector", { of: "JobSpec.selector" }),
    ],
    cells: ({ metadata, spec, status }, ages) => [
      metadata?.name ?? "",
      spec?.schedule ?? "",
      spec?.timeZone ?? "<none>",
      suspendText(spec?.suspend),
      status?.active?.length ?? 0,
      status?.lastScheduleTime === undefined ? "<none>" : ages.since(status.lastScheduleTime),
      ages.since(metadata?.creationTimestamp),
      ...containerTexts(spec?.jobTemplate?.spec?.template),
      shownSelector(spec?.jobTemplate?.spec?.selector),
    ],
  }),
  "HorizontalPodAutoscaler.autoscaling": printer<HorizontalPodAutoscaler>({
    columns: [
      nameColumn,
      column("Reference", {
        says: "scaleTargetRef points to the target resource to scale, and is used to the pods for which metrics should be collected, as well as to actually change the replica count.",
      }),
      column("Targets", {
        says: "metrics contains the specifications for which to use to calculate the desired replica count (the maximum replica count across all metrics will be used).  The desired replica count is calculated multiplying the ratio between the target value and the current value by the current number of pods.  Ergo, metrics used must decrease as the pod count is increased, and vice-versa.  See the individual metric source types for more information about how each type of metric must respond. If not set, the default metric will be set to 80% average CPU utilization.",
      }),
      column("MinPods", { of: "HorizontalPodAutoscalerSpec.minReplicas" }),
      column("MaxPods", {
        says: "maxReplicas is the upper limit for the number of replicas to which the autoscaler can scale up. It cannot be less that minReplicas.",
      }),
      column("Replicas", {
        says: "currentReplicas is current number of replicas of pods managed by this autoscaler, as last seen by the autoscaler.",
      }),
      ageColumn,
    ],
    cells: (autoscaler, ages) => [
      autoscaler.metadata?.name ?? "",
      `${autoscaler.spec?.scaleTargetRef?.kind ?? ""}/${autoscaler.spec?.scaleTargetRef?.name ?? ""}`,
      targetText(autoscaler),
      String(autoscaler.spec?.minReplicas ?? "<unset>"),
      autoscaler.spec?.maxReplicas ?? 0,
      autoscaler.status?.currentReplicas ?? 0,
      ages.since(autoscaler.metadata?.creationTimestamp),
    ],
  }),
};

/** The first of these that holds; a job that is being deleted comes after it has ended one way or the other. */
const endedStatuses = ["Complete", "Failed"];
const goingStatuses = ["Suspended", "FailureTarget", "SuccessCriteriaMet"];

function jobStatus({ metadata, status }: SparseJob): string {
  const ended = endedStatuses.find((type) => isTrue(status?.conditions, type));
  if (ended !== undefined) return ended;
  if (metadata?.deletionTimestamp !== undefined) return "Terminating";
  return goingStatuses.find((type) => isTrue(status?.conditions, type)) ?? "Running";
}

function completionText({ spec, status }: SparseJob): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec?.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationText({ status }: SparseJob, ages: Ages): string {
  if (status?.startTime === undefined) return "";
  if (status.completionTime === undefined) return ages.since(status.startTime);
  return humanDuration(parseTime(status.completionTime) - parseTime(status.startTime));
}

function suspendText(isSuspended: boolean | undefined): string {
  if (isSuspended === undefined) return "<unset>";
  return isSuspended ? "True" : "False";
}

/** The only measure that this version of the kind has. */
function targetText({ spec, status }: Sparse<HorizontalPodAutoscaler>): string {
  const target = spec?.targetCPUUtilizationPercentage;
  if (target === undefined) return "<none>";
  const current = status?.currentCPUUtilizationPercentage;
  return `cpu: ${current === undefined ? "<unknown>" : `${current}%`}/${target}%`;
}
