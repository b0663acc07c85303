import { type ErrorCode, StowageError } from "@stowage/machinery";

/** What the SDK puts into its errors; the code of EC2 is the name. */
interface Ec2Failure {
  readonly name?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const GONE = new Set(["InvalidVolume.NotFound", "InvalidSnapshot.NotFound"]);
const HELD = new Set(["VolumeInUse", "IncorrectState", "InvalidSnapshot.InUse"]);
const THROTTLED = new Set([
  "RequestLimitExceeded",
  "Throttling",
  "ThrottlingException",
  "EC2ThrottledException",
  "TooManyRequestsException",
  "RequestThrottled",
  "SlowDown",
]);
/** Told by the SDK before anything is sent: the region, the credentials, or the profile that is to have them. */
const MISCONFIGURED = new Set(["CredentialsProviderError", "TokenProviderError", "ParseFileError"]);

export function isGone(error: unknown): boolean {
  return GONE.has(nameOf(error));
}

/** By its code alone: what EC2 says of a request may repeat parts of it. */
export function knownFailure(error: unknown, what: string): StowageError {
  const name = nameOf(error);
  const status = (error as Ec2Failure).$metadata?.httpStatusCode;
  const code = codeOf(name, status);
  if (code === "CLOUD_CONFIG_INVALID") {
    const nextStep =
      "Give --region, and credentials as every AWS tool finds them: AWS_PROFILE, or AWS_ACCESS_KEY_ID and its like.";
    return new StowageError(code, `AWS was to be asked ${what}: it has no usable credentials`, {
      cause: error,
      nextStep,
    });
  }
  const said = status === undefined ? name : `${name} (HTTP ${status})`;
  return new StowageError(code, `EC2 was asked ${what}, and answered with ${said}`, { cause: error });
}

function codeOf(name: string, status: number | undefined): ErrorCode {
  if (MISCONFIGURED.has(name)) return "CLOUD_CONFIG_INVALID";
  if (HELD.has(name)) return "VOLUME_HELD";
  if (THROTTLED.has(name) || status === 429 || status === 503) return "CLOUD_THROTTLED";
  if (status === undefined || status >= 500) return "CLOUD_UNREACHABLE";
  return "CLOUD_REFUSED";
}

function nameOf(error: unknown): string {
  return (error as Ec2Failure | undefined)?.name ?? "Error";
}
