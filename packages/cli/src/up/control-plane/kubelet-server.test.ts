import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { get, request } from "node:https";
import type { Duplex } from "node:stream";
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
  exec: async () => 0,
  forward: async () => {},
  page: async (nodeName: string, path: string) =>
    path === "stats/summary" ? { contentType: "application/json", body: `{"node":"${nodeName}"}` } : undefined,
};
const client = { get: async (_type: unknown, { name }: { name: string }) => ({ metadata: { uid: `uid-of-${name}` } }) };
let server: KubeletServer;

async function started(): Promise<KubeletServer> {
  const tls = { ca: authority.certificate, cert: node.certificate, key: node.key };
  const own = { nodeName: "node-1", host: "127.0.0.1", tls, agents };
  return await startKubeletServer({ ...own, client: client as unknown as KubeClient });
}

beforeAll(async () => {
  server = await started();
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

/** Asks for a connection; the answer and, where it is one, the socket. */
async function connect({ certificate: cert, key } = apiServer): Promise<[number, Duplex | undefined]> {
  const headers = { connection: "Upgrade", upgrade: "SPDY/3.1", "x-stream-protocol-version": "v4.channel.k8s.io" };
  const path = "/exec/demo/writer/main?command=true&output=1";
  const { port } = server;
  const identity = { ca: authority.certificate, cert, key, agent: false };
  const asking = request({ host: "127.0.0.1", port, path, method: "POST", headers, ...identity }).end();
  return await new Promise((resolve, reject) => {
    asking.on("error", reject);
    asking.on("response", (answer) => resolve([answer.resume().statusCode ?? 0, undefined]));
    asking.on("upgrade", (answer, socket) => resolve([answer.statusCode ?? 0, socket]));
  });
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
    expect(await connect(node)).toEqual([403, undefined]);
  });

  it("takes connections for commands and ports, and ends them with itself", async () => {
    const [code, socket] = await connect();
    expect(code).toBe(101);
    const closed = once(socket?.resume().on("error", () => {}) as Duplex, "close");
    await server[Symbol.asyncDispose]();
    await closed;
    server = await started();
  });
});
