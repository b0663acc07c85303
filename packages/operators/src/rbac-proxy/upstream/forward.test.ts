import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Http2Server, type ServerHttp2Stream } from "node:http2";
import { Agent, createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";
import { createAuthority, issueCertificate } from "@stowage/machinery/certificates";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { ask, askByHttp2, begin } from "../fixtures/https-client.ts";
import { startProxyBench } from "../fixtures/proxy-bench.ts";
import { joinPaths } from "./upstream.ts";

const ann = { token: "token-of-ann" };

describe("an upstream", () => {
  it("that is down is told of, and not taken for the proxy", async () => {
    await using bench = await startProxyBench({ upstream: { url: "http://127.0.0.1:1/" } });
    const answer = await ask(`${bench.url}/metrics`, ann);
    expect(answer).toMatchObject({ status: 502, text: "the upstream cannot be reached\n" });
    bench.api.rights.add("ann create /metrics");
    const posted = await ask(`${bench.url}/metrics`, { ...ann, method: "POST", body: "x".repeat(1_000_000) });
    expect(posted.status).toBe(502);
    expect(bench.log.join()).toContain("127.0.0.1:1");
  });

  it("that hangs up before it answers is no different", async () => {
    await using bench = await startProxyBench({ onUpstream: (request) => request.socket.destroy() });
    expect((await ask(`${bench.url}/metrics`, ann)).status).toBe(502);
  });

  it("that does not answer is given up", async () => {
    const clock = new ManualClock();
    await using bench = await startProxyBench({ clock, onUpstream: () => {} });
    const answer = ask(`${bench.url}/metrics`, ann);
    await expect.poll(() => bench.received).toHaveLength(1);
    await clock.advance(300_000);
    expect((await answer).status).toBe(504);
  });

  it("that hangs up in the middle of an answer makes it a broken one", async () => {
    let hangUp = () => {};
    await using bench = await startProxyBench({
      onUpstream: (_request, response) => {
        response.write("half");
        hangUp = () => void response.destroy();
      },
    });
    const answer = await begin(`${bench.url}/metrics`, ann);
    hangUp();
    await expect(text(answer)).rejects.toThrow(/aborted/);
    expect((await ask(`${bench.url}/metrics`, { token: "token-of-bob" })).status).toBe(403);
  });

  it("is told when the client hangs up", async () => {
    const { promise: hungUp, resolve } = Promise.withResolvers<void>();
    await using bench = await startProxyBench({
      onUpstream: (_request, response) => {
        response.write("first");
        response.once("close", resolve);
      },
    });
    const response = await begin(`${bench.url}/metrics`, ann);
    response.destroy();
    await hungUp;
  });

  it("is not read faster than the client reads", async () => {
    const chunk = Buffer.alloc(1 << 16);
    // Half a gigabyte: much more than systems buffer, and little enough to be kept where nobody is held back.
    let most = 8192;
    let sent = 0;
    await using bench = await startProxyBench({
      onUpstream: (request, response) => {
        if (request.url === "/metrics?other") return void response.end();
        const more = () => {
          while (sent < most) {
            sent++;
            if (!response.write(chunk)) return void response.once("drain", more);
          }
          response.end();
        };
        more();
      },
    });
    const response = await begin(`${bench.url}/metrics`, ann);
    const sentMeanwhile = async () => {
      const before = sent;
      // Each goes all the way, and by a connection of its own: nothing that can go on stands still for so long.
      for (let count = 0; count < 5; count++) await ask(`${bench.url}/metrics?other`, { ...ann, agent: new Agent() });
      return sent - before;
    };
    await expect.poll(sentMeanwhile).toBe(0);
    expect(sent).toBeLessThan(most);
    most = 0;
    let bytes = 0;
    for await (const part of response) bytes += (part as Buffer).length;
    expect(bytes).toBe(sent * chunk.length);
  });

  it("gets a body and gives one, whatever its status", async () => {
    await using bench = await startProxyBench({
      onUpstream: (request, response) => {
        response.writeHead(418, { "x-two": ["1", "2"], connection: "close" });
        request.pipe(response);
      },
    });
    bench.api.rights.add("ann update /metrics");
    const answer = await ask(`${bench.url}/metrics`, { ...ann, method: "PUT", body: "some text" });
    expect(answer).toMatchObject({ status: 418, text: "some text", headers: { "x-two": "1, 2" } });
  });

  it("may have a path of its own before that of the request", () => {
    expect(joinPaths("/", "/metrics?a")).toBe("/metrics?a");
    expect(joinPaths("/base/", "/metrics")).toBe("/base/metrics");
    expect(joinPaths("/base", "/metrics")).toBe("/base/metrics");
  });

  it("with TLS is trusted by the authority of the flag alone, and shown the certificate of the flag", async () => {
    using folder = new DisposableFolder();
    const validity = { fromMs: Date.now() - 60_000, untilMs: Date.now() + 60_000 };
    const authority = createAuthority("both", validity);
    const issue = (commonName: string, usages: readonly ("server" | "client")[]) =>
      issueCertificate(authority, { commonName, names: ["localhost"], usages, validity });
    const [serving, showing] = [issue("localhost", ["server"]), issue("proxy", ["client"])];
    const tls = { cert: serving.certificate, key: serving.key, ca: authority.certificate, requestCert: true };
    const server = createHttpsServer(tls, (request, response) => {
      response.end((request.socket as TLSSocket).getPeerCertificate().subject.CN);
    });
    onTestFinished(() => void server.close());
    server.listen(0, "localhost");
    await once(server, "listening");
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    const clientCertificateFile = folder.write("tls.crt", showing.certificate);
    const clientKeyFile = folder.write("tls.key", showing.key);
    const caFile = folder.write("ca.crt", authority.certificate);
    await using bench = await startProxyBench({ upstream: { url, caFile, clientCertificateFile, clientKeyFile } });
    expect(await ask(`${bench.url}/metrics`, ann)).toMatchObject({ status: 200, text: "proxy" });
    await using distrustful = await startProxyBench({ upstream: { url } });
    expect((await ask(`${distrustful.url}/metrics`, ann)).status).toBe(502);
  });

  it("of HTTP/2 without TLS gets requests and gives trailers, as gRPC needs them", async () => {
    await using upstream = await startH2cServer((stream) => {
      stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
      stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
      stream.pipe(stream);
    });
    await using bench = await startProxyBench({ upstream: { url: upstream.url, forceH2c: true } });
    bench.api.rights.add("ann create /svc/Call");
    const headers = { ":path": "/svc/Call", ":method": "POST", te: "trailers", authorization: "Bearer token-of-ann" };
    const answer = await askByHttp2(bench.url, headers, "message");
    expect(answer).toMatchObject({ text: "message", trailers: { "grpc-status": "0" } });
    expect(upstream.authorizations).toEqual([undefined]);
    await upstream.close();
    expect((await askByHttp2(bench.url, headers, "message")).headers[":status"]).toBe(502);
  });
});

class DisposableFolder {
  readonly #path = mkdtempSync(join(tmpdir(), "stowage-rbac-proxy-"));

  write(name: string, content: string): string {
    writeFileSync(join(this.#path, name), content);
    return join(this.#path, name);
  }

  [Symbol.dispose](): void {
    rmSync(this.#path, { recursive: true });
  }
}

async function startH2cServer(answer: (stream: ServerHttp2Stream) => void) {
  const server: Http2Server = createServer();
  const authorizations: (string | undefined)[] = [];
  server.on("stream", (stream, headers) => {
    authorizations.push(headers.authorization);
    answer(stream);
  });
  const sessions = new Set<{ destroy(): void }>();
  server.on("session", (session) => sessions.add(session));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    for (const session of sessions) session.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, authorizations, close, [Symbol.asyncDispose]: close };
}
