import { isCsiCode, isCsiError } from "@stowage/csi";
import { hasErrorCode, StowageError } from "@stowage/machinery";

/** What is done after a claim could not be provisioned. */
export type FailureStep =
  /** The driver finds the claim invalid: tried again rarely. */
  | "slow"
  /** The scheduler is asked for another node. */
  | "reschedule"
  /** With the key's backoff. */
  | "retry";

export interface FailureCircumstances {
  readonly supportsTopology: boolean;
  readonly hasSelectedNode: boolean;
}

export function desiredFailureStep(
  error: unknown,
  { supportsTopology, hasSelectedNode }: FailureCircumstances,
): FailureStep {
  if (isCsiCode(error, "INVALID_ARGUMENT")) return "slow";
  // Another node helps only a driver that cares where, and a claim whose node the scheduler chose.
  const isElsewhere = isCsiCode(error, "RESOURCE_EXHAUSTED") && supportsTopology;
  const isNodeWrong = hasErrorCode(error, "TOPOLOGY_RESCHEDULE");
  return hasSelectedNode && (isElsewhere || isNodeWrong) ? "reschedule" : "retry";
}

const INFEASIBLE = "Volume provisioning failed with infeasible error. Retries will be delayed. ";

const STEP_ADVICE: Readonly<Record<FailureStep, string | undefined>> = {
  slow: "Correct what the driver objects to: parameters are the StorageClass's, which must be made anew for that.",
  reschedule: "The scheduler is asked to choose another node; nothing to do unless no node has room.",
  retry: undefined,
};

/** For the event of a claim: programs look for the words up to the class, which are the original's. */
export function provisioningMessage(className: string, error: unknown, step: FailureStep): string {
  const told = `failed to provision volume with StorageClass "${className}": ${failureMessage(error, step)}`;
  return step === "slow" ? `${INFEASIBLE}${told}` : told;
}

/** For an event: what went wrong, in the original's words where the driver said it, and what comes next. */
export function failureMessage(error: unknown, step: FailureStep = "retry"): string {
  const what = isCsiError(error) ? error.goMessage : error instanceof Error ? error.message : String(error);
  const advice = STEP_ADVICE[step] ?? (error instanceof StowageError ? error.nextStep : undefined);
  const sentence = /[.!?]$/.test(what) ? what : `${what}.`;
  return `${sentence}${advice === undefined ? "" : ` ${advice}`}`;
}
