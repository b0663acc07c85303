import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { textOf } from "./fixtures/connection.ts";
import { testBed } from "./fixtures/test-bed.ts";
import { answerJson, bodyOf } from "./fixtures/test-server.ts";
import type { HttpMethod } from "./transport.ts";

const bed = testBed();

describe("a request", () => {
  it("goes to the path after the server's base path, with the query", async () => {
    const server = await bed.http((request, response) => response.end(request.url));
    const transport = bed.transport(`${server.url}/k8s/clusters/c-1`);
    expect(await textOf(await transport.send({ method: "GET", path: "/api/v1/pods?limit=5" }))).toBe(
      "/k8s/clusters/c-1/api/v1/pods?limit=5",
    );
    expect(transport.server).toBe(`${server.url}/k8s/clusters/c-1`);
  });

  it("says who is calling, and where", async () => {
    const server = await bed.http((request, response) => answerJson(response, request.headers));
    const headers = JSON.parse(await textOf(await bed.transport(server.url).send({ method: "GET", path: "/" })));
    expect(headers["user-agent"]).toMatch(/^stowage\/\d+\.\d+\.\d+ \(\w+\/\w+\)$/);
    expect(headers["host"]).toBe(`127.0.0.1:${server.port}`);
    expect(headers["accept-encoding"]).toBe("gzip");
  });

  it("carries the caller's headers, which win over our own", async () => {
    const server = await bed.http((request, response) => answerJson(response, request.headers));
    const transport = bed.transport(server.url, { credentials: { token: "t" } }, { userAgent: "other/1" });
    const sent = { "User-Agent": "mine/1", Accept: "application/json" };
    const headers = JSON.parse(await textOf(await transport.send({ method: "GET", path: "/", headers: sent })));
    expect(headers).toMatchObject({ "user-agent": "mine/1", accept: "application/json", authorization: "Bearer t" });
  });

  it.each<[HttpMethod, string | Uint8Array]>([
    ["POST", '{"a":"ä"}'],
    ["PUT", new Uint8Array([1, 2, 3])],
    ["PATCH", "x"],
    ["DELETE", '{"kind":"DeleteOptions"}'],
  ])("can have a body: %s", async (method, body) => {
    const server = await bed.http((request, response) => {
      const { method, headers } = request;
      void bodyOf(request).then((body) => answerJson(response, { method, length: headers["content-length"], body }));
    });
    const answer = JSON.parse(await textOf(await bed.transport(server.url).send({ method, path: "/", body })));
    expect(answer).toEqual({
      method,
      length: String(Buffer.byteLength(body)),
      body: Buffer.from(body).toString("utf8"),
    });
  });

  it("sends impersonated groups as headers of their own", async () => {
    const server = await bed.http((request, response) => answerJson(response, request.headersDistinct));
    const impersonate = { user: "jane", groups: ["a", "b,c"], extra: {} };
    const answer = await bed.transport(server.url, { credentials: { impersonate } }).send({ method: "GET", path: "/" });
    expect(JSON.parse(await textOf(answer))).toMatchObject({
      "impersonate-user": ["jane"],
      "impersonate-group": ["a", "b,c"],
    });
  });
});

describe("a name outside ASCII", () => {
  it.each([undefined, '{"a":"ä"}'])("arrives as UTF-8, with the body %j", async (body) => {
    const server = await bed.http((request, response) => answerJson(response, request.headers["impersonate-user"]));
    const credentials = { impersonate: { user: "Jörg 中", groups: [], extra: {} } };
    const answer = await bed.transport(server.url, { credentials }).send({ method: "POST", path: "/", body });
    expect(Buffer.from(JSON.parse(await textOf(answer)), "latin1").toString("utf8")).toBe("Jörg 中");
  });
});

describe("a response", () => {
  it("is given back whatever its status", async () => {
    const server = await bed.http((_, response) => answerJson(response, { kind: "Status" }, 409));
    const answer = await bed.transport(server.url).send({ method: "GET", path: "/" });
    expect(answer.status).toBe(409);
    expect(await textOf(answer)).toBe('{"kind":"Status"}');
  });

  it("has header names in lower case, and repeated ones joined", async () => {
    const server = await bed.http((_, response) => {
      response.setHeader("Warning", ['299 - "one"', '299 - "two"']);
      response.setHeader("Set-Cookie", ["a=1", "b=2"]);
      response.end();
    });
    const answer = await bed.transport(server.url).send({ method: "GET", path: "/" });
    answer.body.resume();
    expect(answer.headers).toMatchObject({ warning: '299 - "one", 299 - "two"', "set-cookie": "a=1, b=2" });
  });

  it("streams: each piece can be read before the next is sent", async () => {
    let sendNext = () => {};
    const server = await bed.http((_, response) => {
      response.write("one");
      sendNext = () => response.end("two");
    });
    const answer = await bed.transport(server.url).send({ method: "GET", path: "/?watch=1" });
    const pieces: string[] = [];
    for await (const piece of answer.body) {
      pieces.push(String(piece));
      sendNext();
    }
    expect(pieces).toEqual(["one", "two"]);
  });

  it("is decompressed, and then no longer claims to be compressed", async () => {
    const text = JSON.stringify({ items: Array.from({ length: 50_000 }, (_, index) => ({ index })) });
    const server = await bed.http((_, response) => {
      const body = gzipSync(text);
      response.writeHead(200, { "content-encoding": "gzip", "content-length": body.length }).end(body);
    });
    const answer = await bed.transport(server.url).send({ method: "GET", path: "/" });
    expect(answer.headers).not.toHaveProperty("content-encoding");
    expect(answer.headers).not.toHaveProperty("content-length");
    expect(await textOf(answer)).toBe(text);
  });

  it("is not asked for compressed when the cluster says so", async () => {
    const server = await bed.http((request, response) => response.end(request.headers["accept-encoding"] ?? "none"));
    const transport = bed.transport(server.url, { disableCompression: true });
    expect(await textOf(await transport.send({ method: "GET", path: "/" }))).toBe("none");
  });

  it("fails its reader when compressed data is cut off", async () => {
    const server = await bed.http((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.write(gzipSync("x".repeat(10_000)).subarray(0, 20), () => response.destroy());
    });
    const answer = await bed.transport(server.url).send({ method: "GET", path: "/" });
    await expect(textOf(answer)).rejects.toThrow(/aborted|unexpected end/);
  });

  it("to HEAD has no body, also when it speaks of compression", async () => {
    const server = await bed.http((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "content-length": 20 }).end();
    });
    const answer = await bed.transport(server.url).send({ method: "HEAD", path: "/" });
    expect(answer.status).toBe(200);
    expect(await textOf(answer)).toBe("");
  });

  it("can be thrown away unread, compressed or not, and frees its connection", async () => {
    const server = await bed.http((request, response) => {
      if (request.url === "/gzip") {
        response.setHeader("content-encoding", "gzip");
      }
      response.write(request.url === "/gzip" ? gzipSync("x") : "x");
    });
    const transport = bed.transport(server.url);
    for (const path of ["/gzip", "/plain"]) {
      (await transport.send({ method: "GET", path })).body.destroy();
    }
    await expect.poll(() => server.sockets.size).toBe(0);
  });
});
