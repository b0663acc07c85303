import { isCsiError } from "@stowage/csi";
import { ApiStatusError } from "@stowage/kube";
import { StowageError } from "@stowage/machinery";

/**
 * What an event or a status says of an error: the driver's or the API's own words, and otherwise ours with the next step. The same
 * error gives the same text, so that a repeated failure is not written anew.
 */
export function failureText(error: unknown): string {
  if (isCsiError(error)) return error.goMessage;
  if (error instanceof ApiStatusError) return error.status.message ?? error.message;
  if (error instanceof StowageError) return `${error.message}. ${error.nextStep}`;
  return error instanceof Error ? error.message : String(error);
}
