import { DescribeTagsCommand, EC2Client } from "@aws-sdk/client-ec2";
import { describe, expect, it, test } from "vitest";
import { type AwsKeys, signedHeaders } from "./request-signature.ts";

const keys: AwsKeys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };

describe("the signature of a request", () => {
  it("is that of AWS' own test suite", () => {
    const request = { method: "POST", url: "https://example.amazonaws.com/", text: "", headers: {} };
    const scope = { region: "us-east-1", service: "service", nowMs: Date.parse("2015-08-30T12:36:00Z") };
    expect(signedHeaders(request, keys, scope)).toEqual({
      host: "example.amazonaws.com",
      "x-amz-date": "20150830T123600Z",
      authorization:
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, " +
        "Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
    });
  });

  test.each<[string, AwsKeys]>([
    ["own keys", keys],
    ["keys that are lent", { ...keys, sessionToken: "token/+=" }],
  ])("is that of AWS' SDK for the same request, by %s", async (_case, own) => {
    const sent = await requestOfSdk(own);
    const { host = "", "x-amz-date": time = "", authorization = "", ...others } = sent.headers;
    const names = /SignedHeaders=([^,]+)/u.exec(authorization)?.[1]?.split(";") ?? [];
    const headers = Object.fromEntries(
      Object.entries(others).filter(([name]) => names.includes(name) && name !== "x-amz-security-token"),
    );
    const url = `https://${host}${sent.path}`;
    const nowMs = Date.parse(time.replace(/^(....)(..)(..T..)(..)/u, "$1-$2-$3:$4:"));
    const scope = { region: "eu-west-1", service: "ec2", nowMs };
    const signed = signedHeaders({ method: sent.method, url, text: sent.body, headers }, own, scope);
    expect(signed["authorization"]).toBe(authorization);
    expect(names).toContain("host");
  });
});

interface SdkRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** As the SDK would send it. */
async function requestOfSdk(credentials: AwsKeys): Promise<SdkRequest> {
  const { promise, resolve } = Promise.withResolvers<SdkRequest>();
  const client = new EC2Client({
    region: "eu-west-1",
    credentials,
    maxAttempts: 1,
    requestHandler: {
      handle(request: SdkRequest) {
        resolve(request);
        return Promise.reject(new Error("nothing is sent"));
      },
    },
  });
  await client.send(new DescribeTagsCommand({ Filters: [{ Name: "key", Values: ["ä b*'"] }] })).catch(() => {});
  return promise;
}
