import { StowageError } from "@stowage/machinery";

export interface FailureParts {
  /** Of the event. */
  readonly reason: string;
  /** What a person does about it. */
  readonly nextStep: string;
  /** What there is can still be used. */
  readonly keepsReadiness?: boolean;
  readonly cause?: unknown;
}

/** Something about a snapshot that its owner has to know: it becomes an event, and the error in its status. */
export class SnapshotFailure extends StowageError {
  override readonly name = "SnapshotFailure";
  readonly reason: string;
  readonly keepsReadiness: boolean;

  constructor(message: string, { reason, nextStep, keepsReadiness = false, cause }: FailureParts) {
    super("SNAPSHOT_IMPOSSIBLE", message, { nextStep, cause });
    this.reason = reason;
    this.keepsReadiness = keepsReadiness;
  }

  /** For events and status. */
  get text(): string {
    return `${this.message}. ${this.nextStep}`;
  }
}
