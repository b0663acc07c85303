import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCloudHttp } from "../../../../cloud-config/index.ts";
import type { CloudConf } from "./cloud-conf.ts";
import { resourceGroupFinder } from "./resource-groups.ts";

// A server that answers as IBM's IAM and resource manager do, on loopback.
const apiKey = "the-key";
const token = "the-token";
const groups = [
  { id: "group-0", name: "other" },
  { id: "group-1", name: "shop" },
];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
  const send = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
  if (pathname === "/identity/token") {
    const form = new URLSearchParams(await text(request));
    const isKnown =
      form.get("grant_type") === "urn:ibm:params:oauth:grant-type:apikey" && form.get("apikey") === apiKey;
    return void (isKnown ? send(200, { access_token: token }) : send(400, { errorMessage: form.toString() }));
  }
  if (request.headers.authorization !== `Bearer ${token}`) return void send(401, {});
  const found = searchParams.get("account_id") === "acc" ? groups : [];
  send(200, { resources: found.filter(({ name }) => name.startsWith(searchParams.get("name")?.slice(0, 1) ?? "")) });
}

const server = createServer((request, response) => void answer(request, response));
let conf: CloudConf;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  conf = {
    accountId: "acc",
    resourceGroupName: "shop",
    iamEndpoint: endpoint,
    vpcEndpoint: endpoint,
    resourceManagerEndpoint: endpoint,
  };
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const { signal } = new AbortController();
const find = resourceGroupFinder(createCloudHttp({ isVerified: true, env: {} }));

it("a resource group is found by its name, with a token for the key", async () => {
  expect(await find(conf, apiKey, signal)).toBe("group-1");
});

it.each([
  ["a key that is refused", { key: "wrong-key" }, "CLOUD_REFUSED", /answered \/identity\/token with status 400/u],
  [
    "another account",
    { accountId: "none" },
    "CLOUD_REFUSED",
    /account none of IBM Cloud shows no resource group "shop"/u,
  ],
  ["a name that only begins alike", { resourceGroupName: "sho" }, "CLOUD_REFUSED", /no resource group "sho"/u],
  ["nobody who answers", { iamEndpoint: "http://127.0.0.1:1" }, "CLOUD_UNREACHABLE", /127\.0\.0\.1:1/u],
])(
  "%s is told, without the key or the token",
  async (_, { key = apiKey, ...other }: Partial<CloudConf> & { key?: string }, code, message) => {
    const failure = await find({ ...conf, ...other }, key, signal).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(String(failure)).not.toMatch(/wrong-key|the-key|the-token/u);
  },
);
