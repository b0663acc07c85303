import { StowageError } from "@stowage/machinery";

/** The parts of a Kubernetes Status that callers act on. */
export interface ApiStatus {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly status?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  };
}

export interface FailedRequest {
  readonly method: string;
  /** With the server, without the query: what a person can look up. */
  readonly url: string;
}

/** The API server answered, and the answer is no. Carries the Status as it was sent; see the predicates in `predicates.ts`. */
export class ApiStatusError extends StowageError {
  override readonly name = "ApiStatusError";
  readonly status: ApiStatus;
  readonly httpStatus: number;
  readonly reason: string;
  readonly request: FailedRequest;

  constructor(status: ApiStatus, request: FailedRequest) {
    const httpStatus = status.code ?? 500;
    const reason = status.reason || reasonOfHttpStatus(httpStatus);
    super(
      "API_STATUS",
      `${request.method} ${request.url}: ${httpStatus} ${reason}: ${status.message ?? "no message"}`,
      {
        nextStep: nextStepOf(reason),
      },
    );
    this.status = status;
    this.httpStatus = httpStatus;
    this.reason = reason;
    this.request = request;
  }
}

/** What Kubernetes calls a plain HTTP status that came without a Status object, from a proxy on the way for instance. */
function reasonOfHttpStatus(httpStatus: number): string {
  return HTTP_STATUS_REASONS[httpStatus] ?? (httpStatus >= 500 ? "InternalError" : "Unknown");
}

const HTTP_STATUS_REASONS: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  409: "Conflict",
  410: "Gone",
  413: "RequestEntityTooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

function nextStepOf(reason: string): string | undefined {
  return NEXT_STEPS[reason];
}

const NEXT_STEPS: Readonly<Record<string, string>> = {
  Unauthorized:
    "Log in again, or check the user of the kubeconfig's context: the server does not accept its credentials.",
  Forbidden: "Ask for a role that allows this; `kubectl auth can-i` tells what the current user may do.",
  Conflict: "Read the object again and repeat the change on what is there now.",
  TooManyRequests: "The server is busy: wait and try again.",
};
