import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newIdentity, servingCertificate } from "../server/identity.ts";
import { writeAnswer } from "./answer-writer.ts";
import { HttpServer, type HttpServerOptions } from "./http-server.ts";

const megabyte = 1024 * 1024;

describe("an HTTP server", () => {
  let server: HttpServer;
  let port: number;
  let asked: string[];

  beforeEach(async () => {
    asked = [];
    await listen();
  });
  afterEach(async () => {
    await server.close();
  });

  async function listen(own: Partial<HttpServerOptions> = {}): Promise<void> {
    const identity = newIdentity(Date.now());
    server = new HttpServer({
      host: "127.0.0.1",
      port: 0,
      ...servingCertificate(identity, "127.0.0.1", Date.now()),
      clientAuthorities: identity.authority.certificate,
      onRequest: async (exchange) => {
        asked.push(exchange.url.pathname);
        const code = await exchange.body(megabyte).then(
          () => 200,
          () => 413,
        );
        await writeAnswer(exchange, { code, headers: {}, body: "well" });
      },
      onUpgrade: async ({ socket }) => void socket.destroy(),
      ...own,
    });
    port = await server.listen();
  }

  /** Instead of the one that waits as long as a client on a busy machine may take. */
  async function listenAnew(own: Partial<HttpServerOptions>): Promise<void> {
    await server.close();
    await listen(own);
  }

  async function opened(): Promise<TLSSocket> {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
    socket.on("error", () => {});
    await once(socket, "secureConnect");
    return socket;
  }

  async function heardOf(socket: TLSSocket): Promise<string> {
    let heard = "";
    socket
      .setEncoding("utf8")
      .on("data", (text: string) => void (heard += text))
      .resume();
    await once(socket, "close");
    return heard;
  }

  it("does not wait for ever for a greeting", async () => {
    await listenAnew({ greetingTimeoutMs: 50 });
    const socket = connectTcp({ host: "127.0.0.1", port });
    socket.on("error", () => {}).resume();
    await once(socket, "close");
  });

  it("does not wait for ever for the end of headers", async () => {
    await listenAnew({ headerTimeoutMs: 50 });
    const socket = await opened();
    socket.write("GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ");
    expect(await heardOf(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("says what is wrong with HTTP that cannot be read, and ends the connection", async () => {
    const socket = await opened();
    socket.write("HELLO THERE\r\n\r\n");
    expect(await heardOf(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*\r\n\r\n400 Bad Request$/);
  });

  it("takes headers of up to a megabyte", async () => {
    const fits = await opened();
    fits.write(`GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: ${"a".repeat(1_000_000)}\r\n\r\n`);
    expect(await heardOf(fits)).toMatch(/^HTTP\/1\.1 200 /);
    const tooLong = await opened();
    tooLong.write(`GET / HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(1_100_000)}\r\n\r\n`);
    expect(await heardOf(tooLong)).toMatch(/^HTTP\/1\.1 431 /);
  });

  describe("that refuses a request", () => {
    const chunk = Buffer.alloc(megabyte, " ");
    const post = `POST /large HTTP/1.1\r\nHost: a\r\nContent-Length: ${100 * megabyte}\r\n\r\n`;
    const overlong = `GET / HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(1_100_000)}`;

    /** Settles when the bytes have left this process. */
    const said = (socket: TLSSocket, text: string | Buffer) => new Promise((resolve) => socket.write(text, resolve));

    it.each([
      ["its body", post, 413],
      ["its headers", overlong, 431],
    ])("for the length of %s is heard by a client that talks on before it listens", async (_, opening, code) => {
      const socket = await opened();
      socket.pause();
      socket.write(opening);
      // More than lies in the buffers on the way: the server has refused it by then, and takes it all the same.
      for (let n = 0; n < 12; n++) expect(await said(socket, chunk)).toBeFalsy();
      expect(await heardOf(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${code} `));
    });

    it("does not do what is said after it on the same connection", async () => {
      const socket = await opened();
      socket.pause();
      socket.write(`POST /large HTTP/1.1\r\nHost: a\r\nContent-Length: ${12 * megabyte}\r\n\r\n`);
      for (let n = 0; n < 12; n++) await said(socket, chunk);
      await said(socket, "DELETE /next HTTP/1.1\r\nHost: a\r\n\r\n");
      expect((await heardOf(socket)).match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413"]);
      expect(asked).toEqual(["/large"]);
    });
  });
});
