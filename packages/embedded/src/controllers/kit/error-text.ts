import { ApiStatusError } from "@stowage/kube";

/** An error in the words of events and conditions: what the API server said, without how it was asked. */
export function errorText(error: unknown): string {
  if (error instanceof ApiStatusError) return error.status.message ?? error.reason;
  return error instanceof Error ? error.message : String(error);
}
