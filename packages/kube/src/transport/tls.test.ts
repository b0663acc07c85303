import { X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { describe, expect, it } from "vitest";
import { failureOf } from "../config/fixtures/failure.ts";
import { manualClock } from "../config/fixtures/manual-clock.ts";
import { temporaryFiles } from "../config/fixtures/temporary-files.ts";
import type { PemSource } from "../config/index.ts";
import { issueCertificate, makeAuthority } from "./fixtures/certificates.ts";
import { textOf } from "./fixtures/connection.ts";
import { startStrictServer } from "./fixtures/strict-server.ts";
import { testBed } from "./fixtures/test-bed.ts";
import { answerJson } from "./fixtures/test-server.ts";

const bed = testBed();
const get = { method: "GET", path: "/" } as const;
const authority = makeAuthority();
const identity = issueCertificate(authority);
const inline = (pem: string): PemSource => ({ kind: "inline", pem });
const trusting = { tls: { certificateAuthority: inline(authority.cert) } };
const servesFine = (names?: string) =>
  bed.https(names === undefined ? identity : issueCertificate(authority, { names }), (_, response) =>
    response.end("fine"),
  );

describe("a secure server", () => {
  it("is trusted by its authority", async () => {
    const server = await servesFine();
    expect(await textOf(await bed.transport(server.url, trusting).send(get))).toBe("fine");
  });

  it("may be trusted by an intermediate authority alone, as in Go", async () => {
    const intermediate = makeAuthority("intermediate", authority);
    const server = await bed.https(issueCertificate(intermediate), (_, response) => response.end("fine"));
    const tls = { certificateAuthority: inline(intermediate.cert) };
    expect(await textOf(await bed.transport(server.url, { tls }).send(get))).toBe("fine");
  });

  it("is not verified when that is not wanted", async () => {
    const server = await servesFine("DNS:elsewhere");
    const transport = bed.transport(server.url, { tls: { insecureSkipVerify: true } });
    expect(await textOf(await transport.send(get))).toBe("fine");
  });

  it.each([
    ["DNS:kubernetes.example.com", "kubernetes.example.com"],
    ["IP:10.9.8.7", "10.9.8.7"],
  ])("may have a certificate for another name, %s, when that is said", async (names, serverName) => {
    const server = await servesFine(names);
    const transport = bed.transport(server.url, { tls: { ...trusting.tls, serverName } });
    expect(await textOf(await transport.send(get))).toBe("fine");
  });

  it("resumes the session on a second connection", async () => {
    const reused: boolean[] = [];
    const server = await bed.https(identity, (request, response) => {
      reused.push((request.socket as TLSSocket).isSessionReused());
      response.setHeader("connection", "close").end();
    });
    const transport = bed.transport(server.url, trusting);
    await textOf(await transport.send(get));
    await textOf(await transport.send(get));
    expect(reused).toEqual([false, true]);
  });

  it("is followed when the file of its authority is replaced", async () => {
    const files = bed.use(temporaryFiles());
    const path = files.write("ca.crt", authority.cert);
    const clock = manualClock();
    const other = makeAuthority("other");
    const first = await servesFine();
    const transport = bed.transport(first.url, { tls: { certificateAuthority: { kind: "file", path } } }, { clock });
    await textOf(await transport.send(get));
    files.write("ca.crt", other.cert);
    clock.advance(61_000);
    expect((await failureOf(transport.send(get))).code).toBe("SERVER_CERTIFICATE_UNTRUSTED");
    files.write("ca.crt", `${other.cert}${authority.cert}`);
    expect(await textOf(await transport.send(get))).toBe("fine");
  });
});

describe("the file of an authority that is half written", () => {
  it("leaves the former authority in use", async () => {
    const files = bed.use(temporaryFiles());
    const path = files.write("ca.crt", authority.cert);
    const clock = manualClock();
    const server = await servesFine();
    const transport = bed.transport(server.url, { tls: { certificateAuthority: { kind: "file", path } } }, { clock });
    await textOf(await transport.send(get));
    files.write("ca.crt", authority.cert.slice(0, 100));
    clock.advance(61_000);
    expect(await textOf(await transport.send(get))).toBe("fine");
  });
});

describe("a client certificate", () => {
  const jane = issueCertificate(authority, { commonName: "jane" });
  const asking = { ...identity, requestCert: true, rejectUnauthorized: false, ca: authority.cert };
  const startAsking = () =>
    bed.https(asking, (request, response) => {
      const shown = (request.socket as TLSSocket).getPeerX509Certificate();
      answerJson(response, { subject: shown?.subject ?? "nobody" });
    });

  it("is shown to a server that asks", async () => {
    const server = await startAsking();
    const clientCertificate = { cert: inline(jane.cert), key: inline(jane.key) };
    const transport = bed.transport(server.url, { ...trusting, credentials: { clientCertificate } });
    expect(await textOf(await transport.send(get))).toBe('{"subject":"CN=jane"}');
  });

  it("that has been replaced is shown on new connections, and the old ones are given up", async () => {
    const files = bed.use(temporaryFiles());
    const clock = manualClock();
    const joe = issueCertificate(authority, { commonName: "joe" });
    const clientCertificate = {
      cert: { kind: "file", path: files.write("crt", jane.cert) },
      key: { kind: "file", path: files.write("key", jane.key) },
    } as const;
    const server = await startAsking();
    const transport = bed.transport(server.url, { ...trusting, credentials: { clientCertificate } }, { clock });
    await textOf(await transport.send(get));
    files.write("crt", joe.cert);
    files.write("key", joe.key);
    clock.advance(61_000);
    expect(await textOf(await transport.send(get))).toBe('{"subject":"CN=joe"}');
    await expect.poll(() => server.sockets.size).toBe(1);
  });

  it("from a plugin is shown, and renewed after a 401", async () => {
    const files = bed.use(temporaryFiles());
    const statusOf = (pair: { cert: string; key: string }) =>
      JSON.stringify({
        apiVersion: "client.authentication.k8s.io/v1",
        kind: "ExecCredential",
        status: { clientCertificateData: pair.cert, clientKeyData: pair.key },
      });
    files.write("1", statusOf(jane));
    files.write("2", statusOf(issueCertificate(authority, { commonName: "joe" })));
    const exec = {
      apiVersion: "client.authentication.k8s.io/v1",
      command: files.script("plugin", `echo >>${files.path}/runs; cat ${files.path}/$(wc -l <${files.path}/runs)`),
      args: [],
      env: { PATH: "/usr/bin:/bin" },
      interactiveMode: "Never",
    } as const;
    const server = await bed.https(asking, (request, response) => {
      const subject = (request.socket as TLSSocket).getPeerX509Certificate()?.subject ?? "nobody";
      response.writeHead(subject === "CN=joe" ? 200 : 401).end(subject);
    });
    const answer = await bed.transport(server.url, { ...trusting, credentials: { exec } }).send(get);
    expect(await textOf(answer)).toBe("CN=joe");
  });

  it.each(["-tls1_2", "-tls1_3"])("that the server does not trust is refused: %s", async (version) => {
    const server = bed.use(await startStrictServer(identity, authority, version));
    const stranger = issueCertificate(makeAuthority("stranger"));
    const clientCertificate = { cert: inline(stranger.cert), key: inline(stranger.key) };
    const transport = bed.transport(server.url, { ...trusting, credentials: { clientCertificate } });
    expect((await failureOf(transport.send(get))).code).toBe("CLIENT_CERTIFICATE_REFUSED");
  });

  it("is asked for in words when the server wants one", async () => {
    const server = bed.use(await startStrictServer(identity, authority, "-tls1_3"));
    const failure = await failureOf(bed.transport(server.url, trusting).send(get));
    expect(failure.code).toBe("CLIENT_CERTIFICATE_REFUSED");
    expect(failure.message).toContain("the server refused our client certificate, or wants one");
  });
});

describe("a server's certificate that is wrong", () => {
  it("by an unknown authority is refused", async () => {
    const server = await servesFine();
    const tls = { certificateAuthority: inline(makeAuthority("other").cert) };
    const failure = await failureOf(bed.transport(server.url, { tls }).send(get));
    expect(failure.code).toBe("SERVER_CERTIFICATE_UNTRUSTED");
    expect(failure.message).toBe(
      `${server.url}: the server's certificate is not trusted (it was signed by an unknown authority).`,
    );
  });

  it("by being self-signed is refused, also by the trust of this machine", async () => {
    const server = await bed.https(issueCertificate(undefined), (_, response) => response.end());
    const failure = await failureOf(bed.transport(server.url).send(get));
    expect(failure.code).toBe("SERVER_CERTIFICATE_UNTRUSTED");
    expect(failure.message).toContain("it is self-signed");
  });

  it("by its names is refused, and they are listed", async () => {
    const server = await servesFine("DNS:kubernetes,DNS:kubernetes.default,IP:10.96.0.1");
    const failure = await failureOf(bed.transport(server.url, trusting).send(get));
    expect(failure.code).toBe("SERVER_CERTIFICATE_WRONG_NAME");
    expect(failure.message).toContain("DNS:kubernetes, DNS:kubernetes.default, IP Address:10.96.0.1");
  });

  it("by its age is refused", async () => {
    const expired = issueCertificate(authority, { days: -1 });
    expect(new X509Certificate(expired.cert).validToDate.getTime()).toBeLessThan(Date.now());
    const server = await bed.https(expired, (_, response) => response.end());
    const failure = await failureOf(bed.transport(server.url, trusting).send(get));
    expect(failure.code).toBe("SERVER_CERTIFICATE_EXPIRED");
    expect(failure.message).toBe(`${server.url}: the server's certificate has expired.`);
  });
});
