import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { failureOf } from "../config/fixtures/failure.ts";
import { temporaryFiles } from "../config/fixtures/temporary-files.ts";
import type { ConnectionConfig } from "../config/index.ts";
import { issueCertificate, makeAuthority } from "./fixtures/certificates.ts";
import { connectionTo, textOf } from "./fixtures/connection.ts";
import { startHttpProxy, startSocks5Proxy } from "./fixtures/proxies.ts";
import { testBed } from "./fixtures/test-bed.ts";
import { started } from "./fixtures/test-server.ts";

const bed = testBed();
const get = { method: "GET", path: "/api" } as const;
const authority = makeAuthority();
const identity = issueCertificate(authority, { names: "DNS:api.example.com,IP:127.0.0.1" });

const secureServer = () => bed.https(identity, (request, response) => response.end(`secure ${request.url}`));
const plainServer = () => bed.http((request, response) => response.end(`plain ${request.url}`));

function through(proxyUrl: string): Partial<ConnectionConfig> {
  return {
    tls: { certificateAuthority: { kind: "inline", pem: authority.cert } },
    proxy: { url: proxyUrl, origin: 'proxy-url of cluster "prod"' },
  };
}

const withUser = (url: string) => url.replace("://", "://me:s3cr%40t@");

describe("an HTTP proxy", () => {
  it("is asked for a tunnel to a secure server, by its name", async () => {
    const server = await secureServer();
    const proxy = bed.use(await startHttpProxy({ target: server.port }));
    const transport = bed.transport("https://api.example.com:6443", through(proxy.url));
    expect(await textOf(await transport.send(get))).toBe("secure /api");
    expect(await textOf(await transport.send(get))).toBe("secure /api");
    expect(proxy.asked).toEqual(["CONNECT api.example.com:6443"]);
  });

  it("is shown the user and password of its URL", async () => {
    const server = await secureServer();
    const proxy = bed.use(await startHttpProxy());
    await textOf(await bed.transport(server.url, through(withUser(proxy.url))).send(get));
    expect(proxy.asked).toEqual([`CONNECT 127.0.0.1:${server.port} me:s3cr@t`]);
  });

  it("is given the whole URL of a plain server", async () => {
    const server = await plainServer();
    const proxy = bed.use(await startHttpProxy());
    const transport = bed.transport(`${server.url}/base`, through(withUser(proxy.url)));
    expect(await textOf(await transport.send(get))).toBe("plain /base/api");
    expect(proxy.asked).toEqual([`GET ${server.url}/base/api me:s3cr@t`]);
  });

  it.each([
    [407, "it wants a user and password (407)"],
    [403, "it answered CONNECT with status 403"],
    [502, "it answered CONNECT with status 502"],
  ])("that answers %i fails with a name and without a password", async (refuseWith, message) => {
    const proxy = bed.use(await startHttpProxy({ refuseWith }));
    const failure = await failureOf(
      bed.transport("https://api.example.com:6443", through(withUser(proxy.url))).send(get),
    );
    expect(failure.code).toBe("PROXY_FAILED");
    expect(failure.message).toBe(
      `https://api.example.com:6443: the proxy ${proxy.url}, set by proxy-url of cluster "prod", failed: ${message}.`,
    );
  });

  it("that is not there, or no proxy, fails as the proxy and not as the server", async () => {
    // A port of the system's that was let go may be another process's by now: this one is nobody's.
    const refused = await failureOf(bed.transport("https://api.example.com", through("http://127.0.0.1:1")).send(get));
    expect(refused.code).toBe("PROXY_FAILED");
    expect(refused.message).toContain("nothing listens there");
    const ssh = bed.use(
      await started(
        createServer((socket) => socket.end("SSH-2.0-x\r\n\r\n")),
        "http",
      ),
    );
    const wrong = await failureOf(bed.transport("https://api.example.com", through(ssh.url)).send(get));
    expect(wrong.message).toContain("it does not speak HTTP");
  });

  it("that never answers is given up on, and named", async () => {
    const deaf = bed.use(
      await started(
        createServer((socket) => socket.resume()),
        "http",
      ),
    );
    const transport = bed.transport("https://api.example.com", through(deaf.url), { connectTimeoutMs: 100 });
    const failure = await failureOf(transport.send(get));
    expect(failure.code).toBe("CONNECTION_TIMEOUT");
    expect(failure.message).toContain('through the proxy set by proxy-url of cluster "prod"');
    await expect.poll(() => deaf.sockets.size).toBe(0);
  });
});

describe("an HTTPS proxy", () => {
  it("must have a certificate that this machine trusts", async () => {
    const proxy = bed.use(await startHttpProxy({ identity }));
    const failure = await failureOf(bed.transport("https://api.example.com", through(proxy.url)).send(get));
    expect(failure.code).toBe("PROXY_FAILED");
    expect(failure.nextStep).toContain("authority of the proxy's certificate");
  });

  it("carries TLS to the server within TLS to the proxy", async () => {
    const server = await secureServer();
    const proxy = bed.use(await startHttpProxy({ identity }));
    const config = connectionTo(server.url, through(proxy.url));
    expect(await getInProcessTrusting(authority.cert, config)).toBe("secure /api");
    expect(proxy.asked).toHaveLength(1);
  });
});

describe("the trust of the machine", () => {
  it("is enough for a server whose authority the kubeconfig does not name", async () => {
    const server = await secureServer();
    expect(await getInProcessTrusting(authority.cert, connectionTo(server.url))).toBe("secure /api");
  });
});

describe("a SOCKS5 proxy", () => {
  it.each([
    ["https://api.example.com:6443", "api.example.com:6443"],
    ["https://127.0.0.1:6443", "127.0.0.1:6443"],
  ])("is asked for %s", async (url, asked) => {
    const server = await secureServer();
    const proxy = bed.use(await startSocks5Proxy({ target: server.port }));
    expect(await textOf(await bed.transport(url, through(proxy.url)).send(get))).toBe("secure /api");
    expect(proxy.asked).toEqual([asked]);
  });

  it("is asked for an IPv6 address as such", async () => {
    const server = await plainServer();
    const proxy = bed.use(await startSocks5Proxy({ target: server.port }));
    expect(await textOf(await bed.transport("http://[fd00::1:2]:80", through(proxy.url)).send(get))).toBe("plain /api");
    expect(proxy.asked).toEqual(["fd00:0000:0000:0000:0000:0000:0001:0002:80"]);
  });

  it("carries plain HTTP, too", async () => {
    const server = await plainServer();
    const proxy = bed.use(await startSocks5Proxy());
    expect(await textOf(await bed.transport(server.url, through(proxy.url)).send(get))).toBe("plain /api");
  });

  it("is shown the user and password of its URL", async () => {
    const server = await secureServer();
    const proxy = bed.use(await startSocks5Proxy({ user: "me", password: "s3cr@t" }));
    expect(await textOf(await bed.transport(server.url, through(withUser(proxy.url))).send(get))).toBe("secure /api");
  });

  it.each([
    ["a wrong password", { user: "me", password: "other" }, true, "it refused the user and password"],
    ["a password that is missing", { user: "me", password: "other" }, false, "it accepts none of the ways to log in"],
    ["a rule", { refuseWith: 2 }, false, "its rules do not allow it"],
    ["an unknown host", { refuseWith: 4 }, false, "host unreachable or unknown"],
    ["something new", { refuseWith: 99 }, false, "reply 99"],
  ])("that refuses because of %s fails with the reason", async (_, options, hasUser, message) => {
    const proxy = bed.use(await startSocks5Proxy(options));
    const url = hasUser ? withUser(proxy.url) : proxy.url;
    const failure = await failureOf(bed.transport("https://api.example.com", through(url)).send(get));
    expect(failure.code).toBe("PROXY_FAILED");
    expect(failure.message).toContain(message);
    expect(failure.message).not.toContain("s3cr");
  });

  it("that is none is recognised", async () => {
    const http = await plainServer();
    const failure = await failureOf(
      bed.transport("https://api.example.com", through(http.url.replace("http", "socks5"))).send(get),
    );
    expect(failure.message).toContain("it does not speak SOCKS5");
  });
});

/** In a process of its own, since a machine's trust is read once. */
async function getInProcessTrusting(authorityPem: string, config: ConnectionConfig): Promise<string> {
  const files = bed.use(temporaryFiles());
  const script = `
    import { createTransport } from ${JSON.stringify(new URL("./index.ts", import.meta.url).href)};
    const transport = createTransport(${JSON.stringify(config)});
    const answer = await transport.send({ method: "GET", path: "/api" });
    console.log(Buffer.concat(await answer.body.toArray()).toString());`;
  const env = { ...process.env, SSL_CERT_FILE: files.write("ca.crt", authorityPem) };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env });
  return stdout.trim();
}
