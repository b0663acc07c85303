import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { text } from "node:stream/consumers";
import type { LogOptions } from "@stowage/embedded";
import type { KubeClient } from "@stowage/kube";
import { createAuthority, issueCertificate, type KeyPair } from "@stowage/machinery/certificates";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type KubeletServer, startKubeletServer } from "./kubelet-server.ts";

const HOUR_MS = 60 * 60_000;
const validity = { fromMs: Date.now() - HOUR_MS, untilMs: Date.now() + HOUR_MS };
const authority = createAuthority("ca", validity);
const pair = (commonName: string, organization: string) =>
  issueCertificate(authority, {
    commonName,
    organization,
    names: ["127.0.0.1"],
    usages: ["server", "client"],
    validity,
  });
const apiServer = pair("admin", "system:masters");
const node = pair("system:node:node-1", "system:nodes");

const asked: { uid: string; options: LogOptions }[] = [];
const agents = {
  async *log({ uid }: { uid: string }, options: LogOptions) {
    asked.push({ uid, options });
    if (uid !== "uid-of-writer") throw new Error("not found");
    yield Buffer.from("first\n");
    yield Buffer.from("second\n");
  },
  page: async (nodeName: string, path: string) =>
    path === "stats/summary" ? { contentType: "application/json", body: `{"node":"${nodeName}"}` } : undefined,
};
const client = { get: async (_type: unknown, { name }: { name: string }) => ({ metadata: { uid: `uid-of-${name}` } }) };
let server: KubeletServer;

beforeAll(async () => {
  const tls = { ca: authority.certificate, cert: node.certificate, key: node.key };
  const own = { nodeName: "node-1", host: "127.0.0.1", tls, agents };
  server = await startKubeletServer({ ...own, client: client as unknown as KubeClient });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Code and body. */
async function ask(path: string, { certificate: cert, key }: Partial<KeyPair> = apiServer): Promise<[number, string]> {
  const identity = { ca: authority.certificate, ...(cert && { cert }), ...(key && { key }), agent: false };
  const [answer] = (await once(get(`https://127.0.0.1:${server.port}${path}`, identity), "response")) as [
    IncomingMessage,
  ];
  return [answer.statusCode ?? 0, await text(answer)];
}

describe("a node in kubelet's words", () => {
  it("gives the API server the log of a container, as it is asked for", async () => {
    const answer = await ask(
      "/containerLogs/demo/writer/main?tailLines=2&follow=true&sinceTime=2026-01-01T00%3A00%3A00Z",
    );
    expect(answer).toEqual([200, "first\nsecond\n"]);
    expect(asked.at(-1)).toMatchObject({
      uid: "uid-of-writer",
      options: {
        follow: true,
        previous: false,
        tailLines: 2,
        sinceTime: "2026-01-01T00:00:00Z",
        limitBytes: undefined,
      },
    });
  });

  it("tells what went wrong by the code", async () => {
    expect(await ask("/containerLogs/demo/another/main")).toEqual([500, "not found"]);
    expect(await ask("/pods")).toEqual([404, "404 page not found\n"]);
  });

  it("says how it is", async () => {
    expect(await ask("/stats/summary")).toEqual([200, '{"node":"node-1"}']);
  });

  it("answers nobody else", async () => {
    expect(await ask("/containerLogs/demo/writer/main", node)).toEqual([403, "Forbidden"]);
    await expect(ask("/stats/summary", {})).rejects.toMatchObject({ code: expect.any(String) });
  });
});
