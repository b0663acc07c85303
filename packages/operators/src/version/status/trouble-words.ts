import type { Trouble } from "../apply/index.ts";

/** From when on a trouble of this kind counts. */
const PATIENCE_MS = 40 * 60_000;
/** From when on it is worth saying that something takes long. */
const SLOW_MS = 30 * 60_000;

/** What a trouble means for an update that is under way. */
export interface TroubleWords {
  readonly reason: string;
  /** After "Working towards 1.2.3:" or "Unable to apply 1.2.3:". */
  readonly progress: string;
  readonly isFailure: boolean;
  /** Nothing is wrong, but it takes longer than it should. */
  readonly isSlow: boolean;
}

export function wordsFor(trouble: Trouble, sinceMs: number, nowMs: number): TroubleWords {
  const { effect, reason, name, message } = trouble;
  const waitedMs = nowMs - sinceMs;
  if (effect === "fail") return { reason, progress: summaryFor(trouble), isFailure: true, isSlow: false };
  if (effect === "patience") {
    const isFailure = waitedMs > PATIENCE_MS;
    const progress = isFailure
      ? `wait has exceeded 40 minutes for these operators: ${name}`
      : `waiting up to 40 minutes on ${name}: ${message}`;
    return { reason, progress, isFailure, isSlow: false };
  }
  const isSlow = waitedMs > SLOW_MS;
  const progress = isSlow ? `waiting on ${name} over 30 minutes which is longer than expected` : `waiting on ${name}`;
  return { reason, progress, isFailure: false, isSlow };
}

const summaries: Readonly<Record<string, string>> = {
  UpdatePayloadResourceNotFound: "some resources could not be updated",
  UpdatePayloadResourceConflict: "some resources could not be updated",
  UpdatePayloadClusterDown: "the control plane is down or not responding",
  UpdatePayloadClusterError: "the control plane is reporting an internal error",
  UpdatePayloadClusterOverloaded: "the control plane is overloaded and is not accepting updates",
  UpdatePayloadClusterUnauthorized: "could not authenticate to the server",
  UpdatePayloadResourceForbidden: "the server is rejecting updates",
  UpdatePayloadResourceTypeMissing: "a required extension is not available to update",
  UpdatePayloadResourceInvalid: "some cluster configuration is invalid",
  UpdatePayloadIntegrity: "the contents of the update are invalid",
  ClusterOperatorsNotAvailable: "some cluster operators are not available",
  MultipleErrors: "several errors are preventing progress",
};

/** Short, for the one line that people see first; `Failing` has the whole of it. */
export function summaryFor({ reason, name }: Pick<Trouble, "reason" | "name">): string {
  const known = summaries[reason];
  if (known !== undefined) return known;
  if (reason === "ClusterOperatorNotAvailable") return `the cluster operator ${name} is not available`;
  if (reason === "ClusterOperatorDegraded") return `the cluster operator ${name} is degraded`;
  if (reason === "WorkloadNotProgressing") return `the workload ${name} cannot roll out`;
  if (reason === "JobFailed") return `the job ${name} has failed`;
  return reason.startsWith("UpdatePayload") ? "the update could not be applied" : `${name}: ${reason}`;
}
