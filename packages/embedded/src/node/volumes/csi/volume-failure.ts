import { isCsiError, isFinalError } from "@stowage/csi";
import { ApiStatusError } from "@stowage/kube";
import { StowageError } from "@stowage/machinery";

/**
 * What is known of a step that failed. `final`: it was not done, and nobody is at it. `uncertain`: it may have been done, or be under
 * way, so that it must be undone. `transient`: it was not begun.
 */
export type Certainty = "final" | "uncertain" | "transient";

/** Something of a volume that could not be done, in kubelet's words: they get into events. */
export class VolumeFailure extends StowageError {
  override readonly name = "VolumeFailure";
  readonly certainty: Certainty;

  constructor(certainty: Certainty, message: string, cause?: unknown) {
    super("VOLUME_NOT_MOUNTED", message, cause === undefined ? {} : { cause });
    this.certainty = certainty;
  }
}

/** As kubelet marks what comes from its CSI plugin. */
export function csiFailure(certainty: Certainty, message: string, cause?: unknown): VolumeFailure {
  const text = cause === undefined ? message : `${message}: ${failureText(cause)}`;
  return new VolumeFailure(certainty, `kubernetes.io/csi: ${text}`, cause);
}

export function certaintyOf(error: unknown): Certainty {
  if (error instanceof VolumeFailure) return error.certainty;
  return isCsiError(error) && !isFinalError(error) ? "uncertain" : "final";
}

/** Which step it was, as events tell it. */
export async function inStep<Result>(step: string, specName: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new VolumeFailure(certaintyOf(error), `${step} for volume "${specName}" : ${failureText(error)}`, error);
  }
}

/** Without how it was asked: what a driver said, or the API server. */
export function failureText(error: unknown): string {
  if (isCsiError(error)) return error.goMessage;
  if (error instanceof ApiStatusError) return error.status.message ?? error.reason;
  return error instanceof Error ? error.message : String(error);
}
