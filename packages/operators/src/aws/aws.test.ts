import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AWSPlatformStatus, Secret } from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { CloudAnswer, CloudRequest } from "../cloud-config/index.ts";
import { awsCredentialsOf } from "./aws-credentials.ts";
import { type AwsService, awsEndpoint } from "./aws-endpoint.ts";
import { openAwsSession } from "./aws-session.ts";
import { tagAccessPoints, tagVolumes } from "./resource-tags.ts";

const { signal } = new AbortController();
const secretOf = (values: Readonly<Record<string, string>>): Secret => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "cloud", namespace: "drivers" },
  data: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString("base64")])),
});

describe("where a service of AWS is", () => {
  const endpoints = { serviceEndpoints: [{ name: "ec2", url: "https://ec2.inside/" }] };
  test.each<[string, AwsService, string, { platform?: AWSPlatformStatus; env?: Record<string, string> }]>([
    ["by its region", "ec2", "https://ec2.eu-west-1.amazonaws.com", {}],
    ["in China", "sts", "https://sts.cn-north-1.amazonaws.com.cn", { platform: { region: "cn-north-1" } }],
    ["in Europe's own", "ec2", "https://ec2.eusc-de-east-1.amazonaws.eu", { platform: { region: "eusc-de-east-1" } }],
    [
      "as the Infrastructure says",
      "ec2",
      "https://ec2.inside",
      { platform: endpoints, env: { AWS_ENDPOINT_URL: "http://x" } },
    ],
    ["as that says of another", "sts", "https://sts.eu-west-1.amazonaws.com", { platform: endpoints }],
    ["as the environment says", "elasticfilesystem", "http://x", { env: { AWS_ENDPOINT_URL: "http://x/" } }],
    [
      "of it alone",
      "elasticfilesystem",
      "http://x",
      { env: { AWS_ENDPOINT_URL: "http://y", AWS_ENDPOINT_URL_EFS: "http://x" } },
    ],
  ])("%s", (_case, service, expected, { platform, env = {} }) => {
    expect(awsEndpoint(service, { region: "eu-west-1", ...platform }, env)).toBe(expected);
  });
});

describe("credentials for AWS", () => {
  const role = "[default]\nrole_arn = arn:aws:iam::1:role/r\nweb_identity_token_file = /token\n";
  const pair = { accessKeyId: "id", secretAccessKey: "s3cr3t" };
  test.each<[string, Record<string, string>, Record<string, string>, unknown]>([
    ["a role", { credentials: role }, {}, { role: { arn: "arn:aws:iam::1:role/r", tokenFile: "/token" } }],
    [
      "a role, by the token that the process has",
      { credentials: role },
      { AWS_WEB_IDENTITY_TOKEN_FILE: "/own" },
      { role: { arn: "arn:aws:iam::1:role/r", tokenFile: "/own" } },
    ],
    [
      "keys in a file",
      { credentials: "[default]\naws_access_key_id=id\naws_secret_access_key=s3cr3t" },
      {},
      { keys: pair },
    ],
    ["two keys", { aws_access_key_id: "id", aws_secret_access_key: "s3cr3t" }, {}, { keys: pair }],
  ])("are %s", (_case, values, env, expected) => {
    expect(awsCredentialsOf(secretOf(values), env)).toEqual(expected);
  });

  test.each<[string, Record<string, string>]>([
    ["is empty", {}],
    ["has one key alone", { aws_secret_access_key: "s3cr3t" }],
    ["has a role and no token", { credentials: "[default]\nrole_arn = r" }],
    ["has no file that can be read", { credentials: "[default]\ns3cr3t" }],
  ])("are none where the Secret %s, which is told by its name alone", (_case, values) => {
    const attempt = () => awsCredentialsOf(secretOf(values), {});
    expect(attempt).toThrow(expect.objectContaining({ code: "CLOUD_CONFIG_INVALID" }));
    expect(attempt).toThrow("Secret drivers/cloud");
    expect(attempt).not.toThrow("s3cr3t");
  });
});

type Answer = Partial<Pick<CloudAnswer, "status" | "text" | "headers">>;

/** A cloud that answers what it is told to, in order, and then that all is well. */
function cloudOf(...answers: readonly Answer[]) {
  const asked: CloudRequest[] = [];
  const left = [...answers];
  const http = async (request: CloudRequest): Promise<CloudAnswer> => {
    asked.push(request);
    const { status = 200, text = "<x/>", headers = {} } = left.shift() ?? {};
    return { status, text, headers, body: text.startsWith("{") ? JSON.parse(text) : undefined };
  };
  const deps = { http, env: {}, clock: { nowMs: () => 0 }, sessionName: "me" };
  const open = (credentials: string) =>
    openAwsSession(deps, { platform: { region: "eu-west-1" }, secret: secretOf({ credentials }) }, signal);
  return { asked, open };
}

const keysFile = "[default]\naws_access_key_id=id\naws_secret_access_key=s3cr3t";
const tags = [{ key: "team", value: "a & b" }];

describe("a role", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "aws-token-"));
    writeFileSync(join(folder, "token"), "j.w.t\n");
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileOf = (name: string) => `[default]\nrole_arn=r\nweb_identity_token_file=${join(folder, name)}`;

  it("is taken on by the token, and the keys that it gives sign what is asked", async () => {
    const lent = "<AccessKeyId>lent</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>";
    const { asked, open } = cloudOf({ text: `<Credentials>${lent}</Credentials>` });
    await tagAccessPoints(await open(fileOf("token")), { ids: ["fsap-1"], tags }, signal);
    expect(asked.map(({ url }) => new URL(url).host)).toEqual([
      "sts.eu-west-1.amazonaws.com",
      "elasticfilesystem.eu-west-1.amazonaws.com",
    ]);
    expect(asked[0]?.form).toMatchObject({ RoleArn: "r", RoleSessionName: "me", WebIdentityToken: "j.w.t" });
    expect(asked[1]?.headers).toMatchObject({ "x-amz-security-token": "t" });
    expect(asked[1]?.headers?.["authorization"]).toContain("Credential=lent/");
  });

  it.each<[string, string, Answer, string]>([
    ["whose token is not there", "other", {}, "CLOUD_CONFIG_INVALID"],
    [
      "that does not trust us",
      "token",
      { status: 403, text: "<Error><Code>AccessDenied</Code></Error>" },
      "CLOUD_REFUSED",
    ],
    ["that gives no keys", "token", {}, "CLOUD_REFUSED"],
  ])("%s cannot be taken on", async (_case, name, answer, code) => {
    const refusal = await cloudOf(answer)
      .open(fileOf(name))
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code });
    expect(String(refusal)).not.toContain("j.w.t");
  });
});

describe("tags of volumes", () => {
  const item = (id: string, key: string, value: string) =>
    `<item><resourceId>${id}</resourceId><resourceType>volume</resourceType><key>${key}</key><value>${value}</value></item>`;
  const refusal = (code: string, status = 400): Answer => ({
    status,
    text: `<Response><Errors><Error><Code>${code}</Code><Message>m</Message></Error></Errors></Response>`,
  });

  it("are set for those that lack one, in one request", async () => {
    const first = `${item("vol-1", "team", "a &amp; b")}${item("vol-2", "team", "other")}<nextToken>n</nextToken>`;
    const { asked, open } = cloudOf({ text: first }, { text: item("vol-3", "team", "a &#38; b") });
    const ids = ["vol-1", "vol-2", "vol-3", "vol-4"];
    expect(await tagVolumes(await open(keysFile), { ids, tags }, signal)).toBe("tagged");
    expect(asked.map(({ form }) => form?.["Action"])).toEqual(["DescribeTags", "DescribeTags", "CreateTags"]);
    expect(asked[1]?.form?.["NextToken"]).toBe("n");
    const { "ResourceId.1": one, "ResourceId.2": two, "ResourceId.3": three, ...form } = asked[2]?.form ?? {};
    expect([one, two, three]).toEqual(["vol-2", "vol-4", undefined]);
    expect(form).toMatchObject({ "Tag.1.Key": "team", "Tag.1.Value": "a & b" });
  });

  it("are not set where all have them", async () => {
    const { asked, open } = cloudOf({ text: item("vol-1", "team", "a &amp; b") });
    expect(await tagVolumes(await open(keysFile), { ids: ["vol-1"], tags }, signal)).toBe("tagged");
    expect(asked.length).toBe(1);
  });

  it("are missing with their volume", async () => {
    const { open } = cloudOf({}, refusal("InvalidVolume.NotFound"));
    expect(await tagVolumes(await open(keysFile), { ids: ["vol-1"], tags }, signal)).toBe("missing");
  });

  it("are refused for one of them", async () => {
    const { open } = cloudOf({}, refusal("TagLimitExceeded"));
    const outcome = await tagVolumes(await open(keysFile), { ids: ["vol-1", "vol-2"], tags }, signal);
    expect(outcome).toMatchObject({ message: "AWS was asked to tag 2 volumes, and answered with TagLimitExceeded" });
  });

  test.each<[string, Answer, string]>([
    ["forbidden", refusal("UnauthorizedOperation", 403), "CLOUD_REFUSED"],
    ["throttled", refusal("RequestLimitExceeded", 503), "CLOUD_THROTTLED"],
    ["answered by somebody else", { status: 502, text: "<html>" }, "CLOUD_UNREACHABLE"],
  ])("fail when they are %s", async (_case, answer, code) => {
    for (const answers of [[answer], [{}, answer]]) {
      const session = await cloudOf(...answers).open(keysFile);
      await expect(tagVolumes(session, { ids: ["vol-1"], tags }, signal)).rejects.toMatchObject({ code });
    }
  });
});

describe("tags of access points", () => {
  it("are set one by one", async () => {
    const { asked, open } = cloudOf();
    expect(await tagAccessPoints(await open(keysFile), { ids: ["fsap-1", "fsap-2"], tags }, signal)).toBe("tagged");
    expect(asked.map(({ url }) => new URL(url).pathname)).toEqual([
      "/2015-02-01/resource-tags/fsap-1",
      "/2015-02-01/resource-tags/fsap-2",
    ]);
    expect(asked[0]?.body).toEqual({ Tags: [{ Key: "team", Value: "a & b" }] });
  });

  it.each<[string, Answer]>([
    ["header", { status: 404, headers: { "x-amzn-errortype": "AccessPointNotFound:http://x/" } }],
    ["document", { status: 404, text: '{"ErrorCode":"AccessPointNotFound","Message":"m"}' }],
  ])("are missing when the answer's %s says so", async (_case, answer) => {
    const session = await cloudOf(answer).open(keysFile);
    expect(await tagAccessPoints(session, { ids: ["fsap-1"], tags }, signal)).toBe("missing");
  });
});
