import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttp2Server, type ServerHttp2Stream } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import type { Container, HTTPGetAction } from "@stowage/machinery";
import { createAuthority, issueCertificate } from "@stowage/machinery/certificates";
import { afterEach, describe, expect, it, vi } from "vitest";
import { containerPort } from "./container-port.ts";
import { probeGrpc } from "./grpc-probe.ts";
import { healthRequest } from "./health-message.ts";
import { probeHttp } from "./http-probe.ts";
import { desiredHttpRequest } from "./http-request.ts";
import { probeTcp } from "./tcp-probe.ts";

const host = "127.0.0.1";
const servers: Server[] = [];
const sockets: Socket[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function listening(server: Server): Promise<number> {
  servers.push(server.on("connection", (socket: Socket) => void sockets.push(socket)));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

/** Nobody listens there: it has another purpose, and is none that a system gives away when any free one is asked for. */
const closed = 1;

/** Longer than any probe takes that is answered, on however busy a machine. */
const patienceMs = 60_000;
const within = (timeoutMs: number) => ({ timeoutMs, signal: new AbortController().signal });
const container: Container = { name: "main", ports: [{ name: "web", containerPort: 8080 }] };
const http = (action: HTTPGetAction, timeoutMs = patienceMs) =>
  probeHttp(desiredHttpRequest(action, container, { host, purpose: "probe" }), within(timeoutMs));

describe("a request", () => {
  const asked = (action: Partial<HTTPGetAction>) =>
    desiredHttpRequest({ port: 80, ...action }, container, { host: "10.0.0.7", purpose: "probe" });

  it.each([
    [{}, "http://10.0.0.7:80"],
    [{ path: "/a b?c=d#e", port: "web" }, "http://10.0.0.7:8080/a%20b?c=d"],
    [{ path: "health%2Fz", scheme: "HTTPS" as const }, "https://10.0.0.7:80/health%2Fz"],
  ])("of %j goes to %s", (action, url) => {
    expect(asked(action).url).toBe(url);
  });

  it("has the headers that are wanted, and says who asks unless that is", () => {
    const usual = [
      { name: "User-Agent", value: "kube-probe/1.36" },
      { name: "Accept", value: "*/*" },
    ];
    expect(asked({}).headers).toEqual(usual);
    const own = [
      { name: "X-A", value: "1" },
      { name: "X-A", value: "2" },
    ];
    expect(asked({ httpHeaders: own }).headers).toEqual([...usual, ...own]);
    const named = [
      { name: "user-agent", value: "me" },
      { name: "accept", value: "" },
    ];
    expect(asked({ httpHeaders: named }).headers).toEqual([{ name: "user-agent", value: "me" }]);
  });

  it.each([
    [8080, 8080],
    ["web", 8080],
    ["81", 81],
  ])("port %j is %i", (port, number) => {
    expect(containerPort(port, container)).toBe(number);
  });

  it.each([
    ["none", 'strconv.Atoi: parsing "none": invalid syntax'],
    [0, "invalid port number: 0"],
    [65_536, "invalid port number: 65536"],
  ])("port %j is none: %s", (port, message) => {
    expect(() => containerPort(port, container)).toThrow(expect.objectContaining({ message }));
  });
});

describe("an HTTP probe", () => {
  const answering = async (answer: RequestListener) => listening(createHttpServer(answer));
  const status = (code: number, headers: Record<string, string> = {}): RequestListener => {
    return (_request, response) => void response.writeHead(code, headers).end("body");
  };

  it.each([
    [200, { result: "success", output: "body" }],
    [304, { result: "warning", output: "Probe terminated redirects, Response body: " }],
    [404, { result: "failure", output: "HTTP probe failed with statuscode: 404" }],
    [500, { result: "failure", output: "HTTP probe failed with statuscode: 500" }],
  ])("that is answered with %i is %j", async (code, outcome) => {
    expect(await http({ port: await answering(status(code)) })).toEqual(outcome);
  });

  it("follows redirects to the same host, and takes those to others for an answer", async () => {
    const port = await answering((request, response) => {
      const { url } = request;
      if (url === "/there") return void response.end("arrived");
      response.writeHead(302, { location: url === "/away" ? "http://elsewhere.example/" : "/there" }).end("moved");
    });
    expect(await http({ port, path: "/here" })).toEqual({ result: "success", output: "arrived" });
    expect(await http({ port, path: "/away" })).toEqual({
      result: "warning",
      output: "Probe terminated redirects, Response body: moved",
    });
  });

  it("does not go round in circles", async () => {
    const port = await answering(status(302, { location: "/" }));
    expect(await http({ port })).toEqual({
      result: "failure",
      output: `Get "http://127.0.0.1:${port}/": stopped after 10 redirects`,
    });
  });

  it("does not ask who the server is", async () => {
    const validity = { fromMs: Date.now() - 1_000, untilMs: Date.now() + 60_000 };
    const authority = createAuthority("nobody knows", validity);
    const subject = { commonName: "another", names: ["another"], usages: ["server" as const], validity };
    const { certificate: cert, key } = issueCertificate(authority, subject);
    const port = await listening(createHttpsServer({ cert, key }, (_request, response) => void response.end("in")));
    expect(await http({ port, scheme: "HTTPS" })).toEqual({ result: "success", output: "in" });
  });

  it("tells what is wrong with who does not answer", async () => {
    expect(await http({ port: closed, path: "/x" })).toEqual({
      result: "failure",
      output: `Get "http://127.0.0.1:${closed}/x": dial tcp 127.0.0.1:${closed}: connect: connection refused`,
    });
    const silent = await answering(() => {});
    expect(await http({ port: silent }, 100)).toEqual({
      result: "failure",
      output: `Get "http://127.0.0.1:${silent}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
    });
    const plain = await answering(status(200));
    expect(await http({ port: plain, scheme: "HTTPS" })).toEqual({
      result: "failure",
      output: `Get "https://127.0.0.1:${plain}": http: server gave HTTP response to HTTPS client`,
    });
    const rude = await listening(createTcpServer((socket) => socket.destroy()));
    expect(await http({ port: rude })).toMatchObject({
      result: "failure",
      output: `Get "http://127.0.0.1:${rude}": EOF`,
    });
  });
});

describe("a TCP probe", () => {
  it("succeeds where somebody listens", async () => {
    expect(await probeTcp(host, await listening(createTcpServer()), within(patienceMs))).toEqual({
      result: "success",
      output: "",
    });
  });

  it("fails where nobody does", async () => {
    const output = `dial tcp 127.0.0.1:${closed}: connect: connection refused`;
    expect(await probeTcp(host, closed, within(patienceMs))).toEqual({ result: "failure", output });
  });
});

it("gives a probe up when nobody wants to know any more", async () => {
  const port = await listening(createTcpServer());
  const stop = new AbortController();
  const time = { timeoutMs: 60_000, signal: stop.signal };
  const asked = desiredHttpRequest({ port }, container, { host, purpose: "probe" });
  const outcomes = Promise.all([probeHttp(asked, time), probeGrpc({ host, port, service: "" }, time)]);
  setImmediate(() => stop.abort());
  expect(await outcomes).toMatchObject([{ result: "failure" }, { result: "failure" }]);
});

describe("a gRPC probe", () => {
  interface Answer {
    readonly status?: number;
    readonly code?: number;
    readonly message?: string;
  }

  async function serving(answerTo: (asked: Buffer) => Answer | undefined): Promise<number> {
    const server = createHttp2Server();
    server.on("stream", (stream: ServerHttp2Stream) => {
      stream.on("error", () => {});
      stream.once("data", (asked: Buffer) => {
        const answer = answerTo(asked);
        if (answer === undefined) return;
        stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
        stream.on("wantTrailers", () => {
          stream.sendTrailers({ "grpc-status": answer.code ?? 0, "grpc-message": answer.message ?? "" });
        });
        stream.end(answer.status === undefined ? undefined : Buffer.from([0, 0, 0, 0, 2, 0x08, answer.status]));
      });
    });
    return listening(server);
  }

  it("asks for the service that it is about", async () => {
    const asked: Buffer[] = [];
    const port = await serving((bytes) => {
      asked.push(bytes);
      return { status: 1 };
    });
    expect(await probeGrpc({ host, port, service: "liveness" }, within(patienceMs))).toEqual({
      result: "success",
      output: "service healthy",
    });
    expect(asked[0]).toEqual(Buffer.concat([Buffer.from([0, 0, 0, 0, 10, 0x0a, 8]), Buffer.from("liveness")]));
    expect(healthRequest("")).toEqual(Buffer.from([0, 0, 0, 0, 0]));
  });

  it.each([
    [{ status: 2 }, 'service unhealthy (responded with "NOT_SERVING")'],
    [
      { code: 5, message: "unknown service" },
      "error: health rpc probe failed: rpc error: code = NotFound desc = unknown service",
    ],
    [
      { code: 12, message: "no such thing" },
      "error: this server does not implement the grpc health protocol (grpc.health.v1.Health): no such thing",
    ],
  ])("that is answered with %j fails: %s", async (answer, output) => {
    const port = await serving(() => answer);
    expect(await probeGrpc({ host, port, service: "" }, within(patienceMs))).toEqual({ result: "failure", output });
  });

  it("fails when nobody answers in time", async () => {
    // The time is over when the question has come, and not before on a busy machine: then the server would not have been found.
    const time = new AbortController();
    using timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(time.signal);
    const silent = await serving(() => {
      time.abort();
      return undefined;
    });
    expect(await probeGrpc({ host, port: silent, service: "" }, within(300))).toEqual({
      result: "failure",
      output: "timeout: health rpc did not complete within 0.3s",
    });
    expect(timeout).toHaveBeenCalledWith(300);
    expect(await probeGrpc({ host, port: closed, service: "" }, within(300))).toEqual({
      result: "failure",
      output: `timeout: failed to connect service "127.0.0.1:${closed}" within 0.3s: context deadline exceeded`,
    });
  });
});
