import type { Status } from "@stowage/machinery";

export type ErrorDetails = NonNullable<Status["details"]>;

/** A refusal that the client gets as a Status. */
export class ApiError extends Error {
  readonly status: Status & { readonly code: number };
  /** What the client is told beside it; each becomes a `Warning` header. */
  warnings: readonly string[] = [];

  constructor(code: number, reason: string, message: string, details?: ErrorDetails) {
    super(message);
    this.name = "ApiError";
    this.status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message,
      // Of an error that the real server has no word for.
      ...(reason !== "" && { reason }),
      ...(details !== undefined && { details }),
      code,
    };
  }
}
