import { readFile } from "node:fs/promises";
import { type AWSPlatformStatus, type Clock, type Secret, StowageError } from "@stowage/machinery";
import type { Environment } from "@stowage/operator";
import { type CloudAnswer, type CloudHttp, elementText } from "../cloud-config/index.ts";
import { awsErrorCode, awsFailure } from "./aws-answer.ts";
import { type AwsCredentials, awsCredentialsOf } from "./aws-credentials.ts";
import { type AwsService, awsEndpoint } from "./aws-endpoint.ts";
import { type AwsKeys, signedHeaders } from "./request-signature.ts";

export interface AwsSessionDeps {
  readonly http: CloudHttp;
  readonly clock: Pick<Clock, "nowMs">;
  readonly env: Environment;
  /** Of whoever asks, in AWS' own log. */
  readonly sessionName: string;
}

export interface AwsAccess {
  readonly platform: Pick<AWSPlatformStatus, "region" | "serviceEndpoints">;
  readonly secret: Secret;
}

/** A request to a service of AWS, in the one form that this service takes. */
export type AwsRequest = {
  /** `to tag 3 volumes` */
  readonly what: string;
  readonly service: AwsService;
} & (
  | { readonly form: Readonly<Record<string, string>> }
  | { readonly path: string; readonly body: Readonly<Record<string, unknown>> }
);

/** Asks AWS as somebody: an answer of whatever status. */
export type AwsSession = (request: AwsRequest, signal: AbortSignal) => Promise<CloudAnswer>;

/** For a few minutes of work: keys that are lent for a role end after an hour, and are not asked for again. */
export async function openAwsSession(
  deps: AwsSessionDeps,
  { platform, secret }: AwsAccess,
  signal: AbortSignal,
): Promise<AwsSession> {
  const { http, clock, env } = deps;
  const { region = "" } = platform;
  const keys = await keysOf(deps, { platform, credentials: awsCredentialsOf(secret, env) }, signal);
  return (request, within) => {
    const { what, service } = request;
    const endpoint = awsEndpoint(service, platform, env);
    const isForm = "form" in request;
    const url = isForm ? `${endpoint}/` : `${endpoint}${request.path}`;
    const text = isForm ? new URLSearchParams(request.form).toString() : JSON.stringify(request.body);
    const signed = { method: "POST", url, text, headers: { "content-type": contentTypes[isForm ? "form" : "body"] } };
    const headers = signedHeaders(signed, keys, { region, service, nowMs: clock.nowMs() });
    const content = isForm ? { form: request.form } : { body: request.body };
    return http({ what, url, method: "POST", headers, ...content }, within);
  };
}

const contentTypes = { form: "application/x-www-form-urlencoded", body: "application/json" } as const;

interface KeysInput extends Pick<AwsAccess, "platform"> {
  readonly credentials: AwsCredentials;
}

async function keysOf(deps: AwsSessionDeps, { platform, credentials }: KeysInput, signal: AbortSignal) {
  if ("keys" in credentials) return credentials.keys;
  const { arn, tokenFile } = credentials.role;
  const token = await readFile(tokenFile, { encoding: "utf8", signal }).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw new StowageError("CLOUD_CONFIG_INVALID", `the token for the role ${arn} cannot be read from ${tokenFile}`, {
      cause,
      nextStep: "Mount a token of the operator's ServiceAccount there, for the audience that the role trusts.",
    });
  });
  return lentKeys(deps, { platform, arn, token: token.trim() }, signal);
}

interface Loan extends Pick<AwsAccess, "platform"> {
  readonly arn: string;
  readonly token: string;
}

/** Needs no signature: the token says who asks. */
async function lentKeys(
  { http, env, sessionName }: AwsSessionDeps,
  { platform, arn, token }: Loan,
  signal: AbortSignal,
): Promise<AwsKeys> {
  const what = `for keys of the role ${arn}`;
  const form = {
    Action: "AssumeRoleWithWebIdentity",
    Version: "2011-06-15",
    RoleArn: arn,
    RoleSessionName: sessionName,
    WebIdentityToken: token,
  };
  const url = `${awsEndpoint("sts", platform, env)}/`;
  const answer = await http({ what, url, method: "POST", form, headers: { accept: "text/xml" } }, signal);
  if (awsErrorCode(answer) !== undefined) throw awsFailure(answer, what);
  const element = (name: string) => elementText(answer.text, name);
  const [accessKeyId, secretAccessKey, sessionToken] = ["AccessKeyId", "SecretAccessKey", "SessionToken"].map(element);
  if (!accessKeyId || !secretAccessKey || !sessionToken) throw awsFailure(answer, what);
  return { accessKeyId, secretAccessKey, sessionToken };
}
