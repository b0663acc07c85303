import { CsiError, type GrpcFailureCode, isCsiError } from "@stowage/csi";
import { CommandError } from "@stowage/csi/host";

/** The answer to a call that cannot be served: what about which volume, and what to do next. */
export function refusal(code: GrpcFailureCode, complaint: string, nextStep: string): CsiError {
  return new CsiError(code, `${complaint} ${nextStep}`, { nextStep });
}

const nextSteps = {
  full: "Free space on the file system of the state directory, or use a smaller size.",
  missing: "Install the program on this node, or use another file system type.",
  timeout: "Check the node's disk for errors and load; the call may be repeated.",
  failed: "Read what the program says; the call may be repeated once the cause is gone.",
  unknown: "Read the driver's log; the call may be repeated.",
} as const;

/**
 * Whatever went wrong below, as the answer that names the subject, such as `volume vol-1`, and its alias: what the caller calls
 * something that it has no id of yet.
 */
export function refusalOf(error: unknown, subject: string, alias = subject.split(" ").at(-1) ?? ""): CsiError {
  const title = subject.endsWith(alias) ? subject : `${subject} (${alias})`;
  if (isCsiError(error)) return error.details.includes(alias) ? error : titled(error, title);
  const what = error instanceof Error ? error.message : String(error);
  const complaint = `${title}: ${what.replace(/[.\s]*$/, ".")}`;
  const options = { cause: error };
  if (isDiskFull(error)) {
    return new CsiError("RESOURCE_EXHAUSTED", `${complaint} ${nextSteps.full}`, {
      ...options,
      nextStep: nextSteps.full,
    });
  }
  const reason = error instanceof CommandError ? error.kind : "unknown";
  const code = reason === "missing" ? "FAILED_PRECONDITION" : "INTERNAL";
  return new CsiError(code, `${complaint} ${nextSteps[reason]}`, { ...options, nextStep: nextSteps[reason] });
}

function titled({ grpcCode, details, cause, nextStep }: CsiError, title: string): CsiError {
  return new CsiError(grpcCode, `${title}: ${details}`, { cause, nextStep });
}

const fullDiskCodes = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

export function isDiskFull(error: unknown): boolean {
  if (error instanceof CommandError) return error.stderrTail.includes("No space left on device");
  return error instanceof Error && fullDiskCodes.has((error as NodeJS.ErrnoException).code ?? "");
}
