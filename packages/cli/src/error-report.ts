import { StowageError } from "@stowage/machinery";

/** What a person is told of a failure: what was tried and on what, why, and the next step. */
export function describeFailure(error: unknown): string {
  if (error instanceof StowageError) {
    return `stowage: ${error.message}${causeOf(error)}\n  next: ${error.nextStep}\n`;
  }
  if (error instanceof Error) return `stowage: unexpected failure: ${error.stack ?? error.message}\n`;
  return `stowage: unexpected failure: ${String(error)}\n`;
}

function causeOf(error: Error): string {
  const { cause } = error;
  if (!(cause instanceof Error) || cause.message === "" || error.message.includes(cause.message)) return "";
  return `\n  cause: ${cause.message}`;
}
