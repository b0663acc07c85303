import { type ErrorCode, errorCatalogue } from "./catalogue.ts";

export interface StowageErrorOptions {
  readonly cause?: unknown;
  /** A more exact next step than the catalogue's. */
  readonly nextStep?: string;
}

/**
 * An error with a code from the catalogue. The message says what was attempted and on what; `nextStep` says what a person can
 * do. Neither ever holds a secret.
 */
export class StowageError extends Error {
  override readonly name: string = "StowageError";
  readonly code: ErrorCode;
  readonly nextStep: string;

  constructor(code: ErrorCode, message: string, options: StowageErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.nextStep = options.nextStep ?? errorCatalogue[code].nextStep;
  }
}

export function hasErrorCode(error: unknown, code: ErrorCode): error is StowageError {
  return error instanceof StowageError && error.code === code;
}
