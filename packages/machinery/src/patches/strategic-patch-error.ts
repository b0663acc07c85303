import { StowageError } from "../errors/stowage-error.ts";

/** A strategic merge patch of which the API server says what is wrong: one that is malformed it refuses, on another it fails as a rule. */
export class StrategicPatchError extends StowageError {
  /** In its words. They may repeat a part of the patch, so they are for whoever sent that, and for nobody else. */
  readonly serverText: string;
  /** Whether it fails on it, rather than that it refuses it. */
  readonly isFailure: boolean;

  constructor(
    code: "INVALID_PATCH" | "MALFORMED_PATCH",
    message: string,
    serverText: string,
    isFailure = code === "INVALID_PATCH",
  ) {
    super(code, message);
    this.serverText = serverText;
    this.isFailure = isFailure;
  }
}
