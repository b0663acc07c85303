/** Codes that other programs may rely on; never rename one. */
export type LabErrorCode =
  | "USAGE"
  | "COMMAND_FAILED"
  | "NO_GO"
  | "BUILD_FAILED"
  | "NOT_STARTED"
  | "PORT_TAKEN"
  | "BUSY"
  | "LEVEL"
  | "NODE_REFUSED"
  | "CANCELLED";

/** The message says what was attempted and on what; `nextStep` says what a person can do. Neither ever holds a secret. */
export class LabError extends Error {
  override readonly name = "LabError";
  readonly code: LabErrorCode;
  readonly nextStep: string | undefined;

  constructor(code: LabErrorCode, message: string, options: { nextStep?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.nextStep = options.nextStep;
  }
}

export function hasLabErrorCode(error: unknown, code: LabErrorCode): error is LabError {
  return error instanceof LabError && error.code === code;
}

/** True for a system call's error with that code, such as ENOENT. */
export function hasSystemCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
