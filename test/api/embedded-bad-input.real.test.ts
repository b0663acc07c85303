import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Call, Connection, type RawAnswer } from "./embedded-api/connection.ts";
import { RawConnection } from "./embedded-raw-connection.ts";
import { EmbeddedServer } from "./embedded-server.ts";
import { EmbeddedSession } from "./embedded-session.ts";

const path = "/api/v1/namespaces/default/configmaps";
const megabyte = 1024 * 1024;
/** What garbage of the requests may lie around until it is collected. */
const allowedBytes = 250 * megabyte;

let folder: string;
let server: EmbeddedServer;
let connection: Connection;
let atRestBytes: number;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "embedded-input-"));
  server = await EmbeddedServer.start(join(folder, "data"));
  connection = new Connection(server.credentials);
  await send({ method: "POST", path, body: '{"metadata":{"name":"there"},"data":{"x":"y"}}' });
  atRestBytes = server.residentBytes();
});
afterAll(async () => {
  connection.close();
  await server.end("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
});
afterEach(async () => {
  expect(server.isRunning).toBe(true);
  expect(server.residentBytes() - atRestBytes).toBeLessThan(allowedBytes);
  expect((await send({ method: "GET", path: `${path}/there` })).code).toBe(200);
});

function send({ headers = {}, ...call }: Omit<Call, "headers"> & Partial<Pick<Call, "headers">>): Promise<RawAnswer> {
  return connection.send({ headers: { "content-type": "application/json", ...headers }, ...call });
}

function expectStatus({ code, text }: RawAnswer, expected: number, words = ""): void {
  expect([code, text]).toEqual([expected, expect.stringContaining(words)]);
  expect(JSON.parse(text)).toMatchObject({ kind: "Status", status: "Failure", code: expected });
}

describe("a body of 100 MB", () => {
  const chunk = Buffer.alloc(megabyte, " ");
  const head = `POST ${path} HTTP/1.1\r\nHost: server\r\nContent-Type: application/json\r\n`;

  it("is refused at 3 MB, and the connection is closed", async () => {
    for (let round = 0; round < 5; round++) {
      using raw = await RawConnection.open(server.credentials);
      await raw.say(`${head}Content-Length: ${100 * megabyte}\r\n\r\n`);
      const saidMegabytes = await raw.say(chunk, 100);
      expect(await raw.closed()).toContain("Request entity too large: limit is 3145728");
      expect(raw.code).toBe(413);
      // What the sockets on the way hold is said, too.
      expect(saidMegabytes).toBeLessThan(50);
    }
  });

  it("is refused in the same way when it does not say how long it is", async () => {
    using raw = await RawConnection.open(server.credentials);
    await raw.say(`${head}Transfer-Encoding: chunked\r\n\r\n`);
    await raw.say(Buffer.concat([Buffer.from("100000\r\n"), chunk, Buffer.from("\r\n")]), 100);
    expect(await raw.closed()).toContain("Request entity too large: limit is 3145728");
  });

  it("is refused by HTTP/2, where the connection goes on", async () => {
    using session = new EmbeddedSession(server.credentials);
    const { code, body } = await session.call("POST", path, { data: { x: "x".repeat(10 * megabyte) } });
    expect([code, body.reason]).toEqual([413, "RequestEntityTooLarge"]);
    expect((await session.call("GET", `${path}/there`)).code).toBe(200);
  });
});

describe("a body that goes too deep", () => {
  const nested = (levels: number, [open, close]: readonly [string, string]) =>
    `{"metadata":{"name":"deep"},"x":${open.repeat(levels)}1${close.repeat(levels)}}`;
  const shapes = [
    ["[", "]"],
    ['{"a":', "}"],
  ] as const;

  it.each([10_000, 100_000])("is refused at %i levels, wherever it is sent", async (levels) => {
    for (const shape of shapes) {
      const body = nested(levels, shape);
      expectStatus(await send({ method: "POST", path, body }), 400, "exceeded max depth");
      expectStatus(await send({ method: "PUT", path: `${path}/there`, body }), 400, "exceeded max depth");
      expectStatus(await send({ method: "DELETE", path: `${path}/there`, body }), 400, "exceeded max depth");
      for (const type of ["merge-patch+json", "strategic-merge-patch+json", "apply-patch+yaml", "json-patch+json"]) {
        const headers = { "content-type": `application/${type}` };
        const patch = type.startsWith("json") ? `[{"op":"add","path":"/x","value":${body}}]` : body;
        expectStatus(await send({ method: "PATCH", path: `${path}/there?fieldManager=x`, headers, body: patch }), 400);
      }
    }
  });

  it("is refused as YAML that grows by its aliases, at once", async () => {
    const letters = "abcdefghi".split("");
    const body = letters
      .map(
        (name, n) =>
          `${name}: &${name} [${Array(9)
            .fill(n === 0 ? "x" : `*${letters[n - 1]}`)
            .join(",")}]`,
      )
      .join("\n");
    for (const text of [body, "a: &a [*a]"]) {
      const answer = await send({ method: "POST", path, headers: { "content-type": "application/yaml" }, body: text });
      expectStatus(answer, 400, "excessive aliasing");
    }
  });
});

describe("a body that is no text", () => {
  const around = (middle: readonly number[]) =>
    Buffer.concat([
      Buffer.from('{"metadata":{"generateName":"u-"},"data":{"a":"'),
      Buffer.from(middle),
      Buffer.from('"}}'),
    ]);

  it("has the sign for it where bytes are no UTF-8, as Go does it", async () => {
    const { code, text } = await send({ method: "POST", path, body: around([0x61, 0xff, 0xc3, 0x28]) });
    expect([code, JSON.parse(text).data.a]).toEqual([201, "a\ufffd\ufffd("]);
    const half = await send({
      method: "POST",
      path,
      body: '{"metadata":{"generateName":"u-"},"data":{"a":"\\ud800x"}}',
    });
    expect([half.code, JSON.parse(half.text).data.a]).toEqual([201, "\ufffdx"]);
  });

  it("is refused when it is compressed, random or cut off", async () => {
    const compressed = gzipSync('{"metadata":{"generateName":"z-"}}');
    const headers = { "content-encoding": "gzip" };
    expectStatus(await send({ method: "POST", path, headers, body: compressed }), 400, "unrecognized");
    for (const body of [Buffer.alloc(1000, 0xff), '{"metadata":', "[]", "null1", "\u0000", '"']) {
      expectStatus(await send({ method: "POST", path, body }), 400);
    }
  });

  it("is refused when it is no protobuf of the kind", async () => {
    const headers = { "content-type": "application/vnd.kubernetes.protobuf" };
    for (const body of [
      "k8s\0",
      Buffer.alloc(100, 0xff),
      Buffer.concat([Buffer.from("k8s\0"), Buffer.alloc(50, 0x0a)]),
    ]) {
      expectStatus(await send({ method: "POST", path, headers, body }), 400);
    }
  });
});
