import { createHash, createHmac } from "node:crypto";

/** What AWS knows a caller by. The token is there when the keys are lent for a time. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface SignedRequest {
  readonly method: string;
  readonly url: string;
  /** The body, byte for byte as it is sent. */
  readonly text: string;
  /** In small letters. Host, time and token are added. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface SigningScope {
  readonly region: string;
  /** `ec2`, `elasticfilesystem` */
  readonly service: string;
  readonly nowMs: number;
}

const ALGORITHM = "AWS4-HMAC-SHA256";

/**
 * The headers of a request with AWS' signature, version 4, over all of them. For requests without a query: none of ours has any.
 */
export function signedHeaders(request: SignedRequest, keys: AwsKeys, scope: SigningScope): Record<string, string> {
  const { region, service, nowMs } = scope;
  const { host, pathname } = new URL(request.url);
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/gu, "");
  const date = time.slice(0, 8);
  const headers: Record<string, string> = {
    ...request.headers,
    host,
    "x-amz-date": time,
    ...(keys.sessionToken !== undefined && { "x-amz-security-token": keys.sessionToken }),
  };
  const names = Object.keys(headers).toSorted();
  const canonical = [
    request.method,
    canonicalPath(pathname),
    "",
    ...names.map((name) => `${name}:${headers[name]?.trim().replaceAll(/ +/gu, " ")}`),
    "",
    names.join(";"),
    sha256(request.text),
  ].join("\n");
  const credential = `${date}/${region}/${service}/aws4_request`;
  const key = [region, service, "aws4_request"].reduce(hmac, hmac(`AWS4${keys.secretAccessKey}`, date));
  const signature = hmac(key, [ALGORITHM, time, credential, sha256(canonical)].join("\n")).toString("hex");
  const parts = [
    `Credential=${keys.accessKeyId}/${credential}`,
    `SignedHeaders=${names.join(";")}`,
    `Signature=${signature}`,
  ];
  return { ...headers, authorization: `${ALGORITHM} ${parts.join(", ")}` };
}

/** Encoded a second time: every service but S3 wants it so. */
function canonicalPath(pathname: string): string {
  return pathname.split("/").map(encodeURIComponent).join("/");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
