import { createServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { failureOf } from "../config/fixtures/failure.ts";
import { toConnectionError } from "./connection-error.ts";
import { issueCertificate, makeAuthority } from "./fixtures/certificates.ts";
import { textOf } from "./fixtures/connection.ts";
import { testBed } from "./fixtures/test-bed.ts";
import { started } from "./fixtures/test-server.ts";

const bed = testBed();
const get = { method: "GET", path: "/api" } as const;

/** A server that does with the bytes of a connection what the test says. */
async function rawServer(scheme: "http" | "https", onConnection: (socket: Socket) => void) {
  return bed.use(await started(createServer(onConnection), scheme));
}

const answering = (text: string | Uint8Array) => (socket: Socket) => void socket.once("data", () => socket.end(text));

describe("a server that cannot be reached", () => {
  it("because its name has no address", async () => {
    // Too long for a name, which the resolver finds out without asking anybody.
    const server = `https://${"x".repeat(64)}.invalid:6443`;
    const failure = await failureOf(bed.transport(server).send(get));
    expect(failure.code).toBe("SERVER_NOT_RESOLVED");
    expect(failure.message).toBe(`${server}: the name has no address.`);
  });

  it("because nothing listens", async () => {
    // A port of the system's that was let go may be another process's by now: this one is nobody's.
    const server = "http://127.0.0.1:1";
    const failure = await failureOf(bed.transport(server).send(get));
    expect(failure.code).toBe("CONNECTION_REFUSED");
    expect(failure.message).toBe(`${server}: the connection was refused; nothing listens there.`);
  });

  it("because no connection comes about in time", async () => {
    const server = await rawServer("https", (socket) => socket.resume());
    const failure = await failureOf(bed.transport(server.url, {}, { connectTimeoutMs: 100 }).send(get));
    expect(failure.code).toBe("CONNECTION_TIMEOUT");
    expect(failure.message).toBe(`${server.url}: no connection within 0.1 s.`);
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  it("because it hangs up during the handshake", async () => {
    const server = await rawServer("https", (socket) => socket.once("data", () => socket.destroy()));
    expect((await failureOf(bed.transport(server.url).send(get))).code).toBe("CONNECTION_RESET");
  });

  it("is named without the credentials that would have gone there", async () => {
    const server = await rawServer("http", (socket) => socket.once("data", () => socket.destroy()));
    const credentials = { token: "s3cr3t" };
    const failure = await failureOf(bed.transport(server.url, { credentials }).send(get));
    expect(JSON.stringify([failure, failure.message, failure.stack, failure.cause])).not.toContain("s3cr3t");
  });
});

describe("a server of the other protocol", () => {
  it("that speaks plain HTTP is recognised behind https", async () => {
    const server = await bed.http((_, response) => response.end());
    const failure = await failureOf(bed.transport(server.url.replace("http:", "https:")).send(get));
    expect(failure.code).toBe("WRONG_PROTOCOL");
    expect(failure.nextStep).toContain(`write it as ${server.url} `);
  });

  it("that speaks HTTPS is recognised behind http by what Go's servers say", async () => {
    const text = "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n";
    const server = await rawServer("http", answering(text));
    const failure = await failureOf(bed.transport(server.url).send(get));
    expect(failure.code).toBe("WRONG_PROTOCOL");
    expect(failure.nextStep).toContain(server.url.replace("http:", "https:"));
  });

  it("that speaks HTTPS is recognised behind http by a TLS alert", async () => {
    const server = await rawServer("http", answering(new Uint8Array([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x0a])));
    expect((await failureOf(bed.transport(server.url).send(get))).code).toBe("WRONG_PROTOCOL");
  });

  it("that speaks HTTPS and hangs up gets the hint", async () => {
    const server = await bed.https(issueCertificate(makeAuthority()), (_, response) => response.end());
    const failure = await failureOf(bed.transport(server.url.replace("https:", "http:")).send(get));
    expect(["CONNECTION_RESET", "WRONG_PROTOCOL"]).toContain(failure.code);
    expect(failure.nextStep).toContain("https://");
  });

  it("is not suspected for any other 400 of HTTP/1.0", async () => {
    const server = await rawServer("http", answering("HTTP/1.0 400 Bad Request\r\n\r\nno such thing"));
    const answer = await bed.transport(server.url).send(get);
    expect(answer.status).toBe(400);
    expect(await textOf(answer)).toBe("no such thing");
  });
});

describe("an answer that is no HTTP", () => {
  it("is said to be that, without repeating it", async () => {
    const server = await rawServer("http", answering("SSH-2.0-s3cr3t\r\n"));
    const failure = await failureOf(bed.transport(server.url).send(get));
    expect(failure.code).toBe("RESPONSE_INVALID");
    expect(JSON.stringify([failure, failure.message, failure.cause])).not.toContain("s3cr3t");
  });

  it("that breaks off in the body can be put in the same words", async () => {
    const server = await rawServer("http", (socket) => {
      socket.once("data", () =>
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf", () => socket.destroy()),
      );
    });
    const answer = await bed.transport(server.url).send(get);
    const error = await textOf(answer).catch((reason: unknown) => reason);
    expect(toConnectionError(error, server.url).code).toBe("CONNECTION_RESET");
  });
});

describe("what Node says", () => {
  it("of several addresses is summed up by the last one", () => {
    const refused = Object.assign(new Error("x"), { code: "ECONNREFUSED" });
    expect(toConnectionError(new AggregateError([refused]), "https://h").code).toBe("CONNECTION_REFUSED");
  });

  it.each([
    ["EHOSTUNREACH", "CONNECTION_FAILED"],
    ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "TLS_FAILED"],
    ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "CLIENT_CERTIFICATE_REFUSED"],
    ["ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE", "CLIENT_CERTIFICATE_REFUSED"],
    ["ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", "CLIENT_CERTIFICATE_REFUSED"],
    ["CERT_NOT_YET_VALID", "SERVER_CERTIFICATE_EXPIRED"],
  ] as const)("by %s becomes %s", (nodeCode, code) => {
    const error = toConnectionError(Object.assign(new Error("x"), { code: nodeCode }), "https://h");
    expect(error.code).toBe(code);
    expect(error.message).toContain("https://h: ");
  });
});
