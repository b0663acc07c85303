import { once } from "node:events";
import { connect } from "node:http2";
import { Agent } from "node:https";
import { ApiStatusError } from "@stowage/kube";
import { hasErrorCode } from "@stowage/machinery";
import { ManualClock, settled } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import { ask, askByHttp2 } from "./fixtures/https-client.ts";
import { startProxyBench } from "./fixtures/proxy-bench.ts";

const ann = { token: "token-of-ann" };

describe("a request", () => {
  it("of who has the right is passed on, without the token, and its answer back", async () => {
    await using bench = await startProxyBench();
    const answer = await ask(`${bench.url}/metrics?a=%20b`, { ...ann, headers: { "x-own": "1" } });
    expect(answer).toMatchObject({ status: 200, text: "up 1\n", headers: { "content-type": "text/plain" } });
    expect(bench.received).toHaveLength(1);
    expect(bench.received[0]).toMatchObject({ method: "GET", url: "/metrics?a=%20b" });
    expect(bench.received[0]?.headers).toMatchObject({ "x-own": "1", "x-forwarded-for": "127.0.0.1" });
    expect(bench.received[0]?.headers).not.toHaveProperty("authorization");
  });

  it.each([
    ["without a token", {}, "no bearer token and no client certificate of a trusted authority"],
    ["with a token of nobody", { token: "wrong" }, "the bearer token is not valid here"],
    ["with another kind of credentials", { headers: { authorization: "Basic YTpi" } }, "no bearer token"],
  ])("%s is not authorized", async (_, options, reason) => {
    await using bench = await startProxyBench();
    const { status, text } = await ask(`${bench.url}/metrics`, options);
    expect([status, text]).toEqual([401, expect.stringContaining(reason)]);
    expect(bench.received).toEqual([]);
  });

  it("of who has no right is forbidden, in words that say which right is missing", async () => {
    await using bench = await startProxyBench();
    const byBob = await ask(`${bench.url}/metrics`, { token: "token-of-bob" });
    expect(byBob).toMatchObject({ status: 403, text: "Forbidden (user=bob, verb=get, path=/metrics)\n" });
    const posted = await ask(`${bench.url}/metrics`, { ...ann, method: "POST", body: "x".repeat(100_000) });
    expect(posted).toMatchObject({ status: 403, text: "Forbidden (user=ann, verb=create, path=/metrics)\n" });
    expect(bench.received).toEqual([]);
  });

  it("for a path that two programs may read differently is sent to the other way of writing it, or refused", async () => {
    await using bench = await startProxyBench({ ignorePaths: ["/healthz/*"] });
    const redirected = await ask(`${bench.url}/healthz/..%2fmetrics?a=b`, ann);
    expect(redirected).toMatchObject({ status: 307, headers: { location: "/metrics?a=b" } });
    expect((await ask(`${bench.url}/healthz/..%5cmetrics`, ann)).status).toBe(400);
    expect((await ask(`${bench.url}/%ff`, ann)).status).toBe(400);
    expect([bench.received, bench.api.asked]).toEqual([[], []]);
  });

  it("for a path that nobody needs a right for is passed on, but not who they say they are", async () => {
    const identityHeaders = { user: "x-remote-user", groups: "x-remote-groups", separator: "|" };
    await using bench = await startProxyBench({ ignorePaths: ["/healthz"], identityHeaders });
    const headers = { "x-remote-user": "system:admin", authorization: "Bearer secret" };
    expect((await ask(`${bench.url}/healthz`, { headers })).status).toBe(200);
    expect(bench.received[0]?.headers).not.toHaveProperty("x-remote-user");
    expect(bench.received[0]?.headers).not.toHaveProperty("authorization");
    expect(bench.api.asked).toEqual([]);
    await ask(`${bench.url}/metrics`, { ...ann, headers: { "x-remote-groups": "system:masters" } });
    expect(bench.received[1]?.headers).toMatchObject({
      "x-remote-user": "ann",
      "x-remote-groups": "readers|system:authenticated",
    });
  });

  it("for a path that is not among those that are allowed is not found, whoever asks", async () => {
    await using bench = await startProxyBench({ allowPaths: ["/metrics"] });
    expect((await ask(`${bench.url}/metrics`, ann)).status).toBe(200);
    expect((await ask(`${bench.url}/debug`, ann)).status).toBe(404);
  });

  it("needs every right that its parameters stand for, and at least one", async () => {
    const resourceAttributes = { namespace: "{{ .Value }}", resource: "pods" };
    const authorization = { resourceAttributes, rewrites: { byQueryParameter: "ns" }, static: [] };
    await using bench = await startProxyBench({ authorization });
    bench.api.rights.add("ann get a/pods");
    expect((await ask(`${bench.url}/x?ns=a`, ann)).status).toBe(200);
    expect((await ask(`${bench.url}/x?ns=a&ns=b`, ann)).text).toContain("namespace=b, resource=pods");
    expect((await ask(`${bench.url}/x`, ann)).status).toBe(400);
  });

  it("by HTTP/2 is no different", async () => {
    await using bench = await startProxyBench();
    const headers = { ":path": "/metrics", authorization: "Bearer token-of-ann" };
    const answer = await askByHttp2(bench.url, headers);
    expect([answer.headers[":status"], answer.text]).toEqual([200, "up 1\n"]);
    expect(bench.received[0]?.headers).toMatchObject({ host: new URL(bench.url).host });
    const refused = await askByHttp2(bench.url, { ":path": "/metrics", authorization: "Bearer token-of-bob" });
    expect(refused.headers[":status"]).toBe(403);
  });

  it("with too large a head is refused", async () => {
    await using bench = await startProxyBench();
    const answer = await ask(`${bench.url}/metrics`, { ...ann, headers: { "x-large": "x".repeat(70_000) } });
    expect(answer.status).toBe(431);
    expect((await ask(`${bench.url}/metrics`, { ...ann, headers: { "x-large": "x".repeat(40_000) } })).status).toBe(
      200,
    );
  });
});

describe("what the API server said", () => {
  it("is good for as long as it is of kube-rbac-proxy", async () => {
    const clock = new ManualClock();
    await using bench = await startProxyBench({ clock });
    const asBoth = async () => {
      bench.api.asked.length = 0;
      await ask(`${bench.url}/metrics`, ann);
      await ask(`${bench.url}/metrics`, { token: "token-of-bob" });
      return [...bench.api.asked];
    };
    const [annMay, bobMay] = ["may ann get /metrics", "may bob get /metrics"];
    expect(await asBoth()).toEqual(["whose", annMay, "whose", bobMay]);
    expect(await asBoth()).toEqual([]);
    await clock.advance(30_000);
    expect(await asBoth()).toEqual([bobMay]);
    await clock.advance(90_000);
    expect(await asBoth()).toEqual(["whose", "whose", bobMay]);
    await clock.advance(180_000);
    expect(await asBoth()).toEqual(["whose", annMay, "whose", bobMay]);
  });

  it("must be about an audience of ours, when there are some", async () => {
    await using bench = await startProxyBench({ audiences: ["metrics"] });
    bench.api.users.set("for-us", { user: { username: "ann" }, audiences: ["other", "metrics"] });
    bench.api.users.set("for-others", { user: { username: "ann" }, audiences: ["other"] });
    const statusOf = async (token: string) => (await ask(`${bench.url}/metrics`, { token })).status;
    expect(await Promise.all(["for-us", "for-others", "token-of-ann"].map(statusOf))).toEqual([200, 401, 401]);
  });

  it("is asked for again when the connection fails, and not when it refuses", async () => {
    await using bench = await startProxyBench();
    bench.api.failures.push(new Error("reset"));
    expect((await ask(`${bench.url}/metrics`, ann)).status).toBe(200);
    expect(bench.api.asked).toEqual(["whose", "whose", "may ann get /metrics"]);
    bench.api.failures.push(refusal());
    expect((await ask(`${bench.url}/metrics`, { token: "token-of-bob" })).status).toBe(401);
    expect(bench.api.asked.slice(3)).toEqual(["whose"]);
  });

  it("is told apart from that it could not be asked", async () => {
    await using bench = await startProxyBench();
    bench.api.failures.push(refusal());
    const unknown = await ask(`${bench.url}/metrics`, ann);
    expect([unknown.status, unknown.text]).toEqual([401, expect.stringContaining("could not be asked whose")]);
    await ask(`${bench.url}/metrics`, ann);
    bench.api.failures.push(refusal());
    const undecided = await ask(`${bench.url}/other`, ann);
    expect(undecided).toMatchObject({ status: 500, text: "Authorization error (user=ann, verb=get, path=/other)\n" });
  });

  it("leaves no token in the log", async () => {
    await using bench = await startProxyBench();
    bench.api.failures.push(refusal(), refusal());
    for (const token of ["token-of-ann", "token-of-bob", "token-of-ann", "token-of-eve"])
      await ask(`${bench.url}/metrics`, { token });
    expect(bench.log.length).toBeGreaterThan(1);
    expect(bench.log.join("\n")).not.toContain("token-of");
  });
});

describe("the proxy", () => {
  it("answers to health checks at a port of its own", async () => {
    await using bench = await startProxyBench({ proxyEndpointsPort: 0 });
    expect(await ask(`${bench.proxy.endpointsUrl}/healthz`)).toMatchObject({ status: 200, text: "ok" });
    expect((await ask(`${bench.proxy.endpointsUrl}/metrics`)).status).toBe(404);
    expect((await ask(`${bench.url}/healthz`)).status).toBe(401);
  });

  it("listens without TLS where it is told to", async () => {
    const plain = { secureListenAddress: undefined, insecureListenAddress: "127.0.0.1:0" };
    await using bench = await startProxyBench(plain);
    expect(bench.url).toMatch(/^http:/);
    expect((await ask(`${bench.url}/metrics`, ann)).text).toBe("up 1\n");
  });

  it("says which address is taken", async () => {
    await using bench = await startProxyBench();
    const { port } = new URL(bench.url);
    const error = await startProxyBench({ secureListenAddress: `127.0.0.1:${port}` }).catch(
      (reason: unknown) => reason,
    );
    expect(hasErrorCode(error, "SERVING_ADDRESS_UNUSABLE")).toBe(true);
    expect(String(error)).toContain(`127.0.0.1:${port}`);
  });

  it("that cannot have its own endpoints leaves nothing behind", async () => {
    await using bench = await startProxyBench();
    const taken = Number(new URL(bench.url).port);
    const before = listening();
    const started = startProxyBench({ proxyEndpointsPort: taken });
    await expect(started).rejects.toThrow(`cannot listen at 127.0.0.1:${taken}`);
    await expect.poll(listening).toBeLessThanOrEqual(before);
  });

  it("refuses an upstream that is no address", async () => {
    const error = await startProxyBench({ upstream: { url: "127.0.0.1:80" } }).catch((reason: unknown) => reason);
    expect(hasErrorCode(error, "RBAC_PROXY_MISCONFIGURED")).toBe(true);
  });

  it("answers what is under way before it ends, and takes nothing new", async () => {
    const { promise: release, resolve } = Promise.withResolvers<void>();
    await using bench = await startProxyBench({
      onUpstream: (_request, response) => {
        response.write("first ");
        void release.then(() => response.end("last"));
      },
    });
    const underWay = ask(`${bench.url}/metrics`, ann);
    await expect.poll(() => bench.received).toHaveLength(1);
    bench.stop();
    await settled(); // Nothing but promises comes before it closes.
    await expect(ask(`${bench.url}/metrics`, ann)).rejects.toThrow(/ECONNREFUSED|socket hang up|ECONNRESET/);
    resolve();
    expect((await underWay).text).toBe("first last");
    await bench.proxy.done;
  });

  it("ends in spite of a request that does not", async () => {
    const clock = new ManualClock();
    await using bench = await startProxyBench({
      clock,
      onUpstream: (_request, response) => response.write("for ever"),
    });
    const underWay = ask(`${bench.url}/metrics`, ann).catch((error: unknown) => error);
    await expect.poll(() => bench.received).toHaveLength(1);
    bench.stop();
    await clock.advance(20_000);
    await bench.proxy.done;
    expect(await underWay).toBeInstanceOf(Error);
  });

  it("ends at once when connections wait for nothing", async () => {
    // Its time never passes: it would not end.
    await using bench = await startProxyBench({ clock: new ManualClock() });
    const agent = new Agent({ keepAlive: true });
    await ask(`${bench.url}/metrics`, { ...ann, agent });
    const session = connect(bench.url, { rejectUnauthorized: false });
    await once(session, "connect");
    bench.stop();
    await bench.proxy.done;
    agent.destroy();
    session.destroy();
  });
});

/** How many servers of this process listen. */
function listening(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "TCPServerWrap").length;
}

function refusal(): ApiStatusError {
  const request = { method: "POST", url: "https://server/apis" };
  return new ApiStatusError({ code: 403, reason: "Forbidden", message: "you may not ask" }, request);
}
