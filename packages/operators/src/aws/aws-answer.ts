import { type ErrorCode, StowageError } from "@stowage/machinery";
import { type CloudAnswer, elementText } from "../cloud-config/index.ts";

const THROTTLED = new Set([
  "RequestLimitExceeded",
  "RequestThrottled",
  "Throttling",
  "ThrottlingException",
  "TooManyRequests",
  "TooManyRequestsException",
]);

/** AWS' own word for why it refused; undefined when it did not. Services of XML and of JSON say it in different places. */
export function awsErrorCode({ status, headers, body, text }: CloudAnswer): string | undefined {
  if (status < 300) return undefined;
  const { ErrorCode: said } = (body ?? {}) as { readonly ErrorCode?: unknown };
  const header = headers["x-amzn-errortype"];
  const name = typeof said === "string" ? said : typeof header === "string" ? header : elementText(text, "Code");
  // Some add where the word is defined.
  return name?.split(/[:#]/u)[0] || `HTTP ${status}`;
}

/** By the word alone: what AWS says beside it may repeat parts of the request. */
export function awsFailure(answer: CloudAnswer, what: string): StowageError {
  const name = awsErrorCode(answer) ?? "an answer that is not understood";
  return new StowageError(codeOf(name, answer.status), `AWS was asked ${what}, and answered with ${name}`);
}

function codeOf(name: string, status: number): ErrorCode {
  if (THROTTLED.has(name) || status === 429 || status === 503) return "CLOUD_THROTTLED";
  return status >= 500 ? "CLOUD_UNREACHABLE" : "CLOUD_REFUSED";
}
