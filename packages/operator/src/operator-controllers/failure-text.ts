import { type ErrorCode, StowageError } from "@stowage/machinery";

/** Their messages are the API server's, or made of several others: there is no one step that helps. */
const withoutOneStep: ReadonlySet<ErrorCode> = new Set([
  "API_STATUS",
  "CONFIG_OBSERVATION_FAILED",
  "DRIVERS_NOT_STARTED",
  "STATIC_RESOURCES_FAILED",
]);

/** As conditions tell it. Whoever looks at one sees nothing else of the failure, so it has the next step in it. */
export function failureText(error: unknown): string {
  if (!(error instanceof StowageError)) return error instanceof Error ? error.message : String(error);
  return withoutOneStep.has(error.code) ? error.message : `${error.message}. ${error.nextStep}`;
}
