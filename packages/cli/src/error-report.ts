import { StowageError } from "@stowage/machinery";
import { withSourcePositions } from "./source-positions.ts";

/** What a person is told of a failure: what was tried and on what, why, and the next step. */
export function describeFailure(error: unknown): string {
  // Something failed, and letting go of what it had did too: the first is what matters, the other may tell why.
  if (error instanceof SuppressedError) {
    return [...new Set([error.suppressed, error.error].map(describeFailure))].join("");
  }
  if (error instanceof StowageError) {
    return `stowage: ${error.message}${causeOf(error)}\n  next: ${error.nextStep}\n`;
  }
  if (error instanceof Error) return `stowage: unexpected failure: ${stackOf(error)}\n`;
  return `stowage: unexpected failure: ${String(error)}\n`;
}

function stackOf({ stack, message }: Error): string {
  return stack === undefined ? message : withSourcePositions(stack);
}

function causeOf(error: Error): string {
  const { cause } = error;
  if (!(cause instanceof Error) || cause.message === "" || error.message.includes(cause.message)) return "";
  return `\n  cause: ${cause.message}`;
}
