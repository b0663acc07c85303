import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, type AgentOptions } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasErrorCode, systemClock } from "@stowage/machinery";
import { createAuthority, issueCertificate, type KeyPair } from "@stowage/machinery/certificates";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ask, askByHttp2 } from "../fixtures/https-client.ts";
import { startProxyBench } from "../fixtures/proxy-bench.ts";

const hourMs = 3_600_000;
const validity = { fromMs: Date.now() - hourMs, untilMs: Date.now() + hourMs };
const authority = createAuthority("serving", validity);
const newPair = () =>
  issueCertificate(authority, { commonName: "localhost", names: ["localhost"], usages: ["server"], validity });
const newClient = (clients: KeyPair, commonName: string, usages: readonly ("client" | "server")[] = ["client"]) => {
  const { certificate, key } = issueCertificate(clients, { commonName, organization: "readers", usages, validity });
  return { cert: certificate, key };
};

class CertificateFolder {
  readonly #folder = mkdtempSync(join(tmpdir(), "stowage-rbac-proxy-"));
  readonly files = {
    certificateFile: join(this.#folder, "tls.crt"),
    keyFile: join(this.#folder, "tls.key"),
    clientCaFile: join(this.#folder, "ca.crt"),
  };

  writePair({ certificate, key }: KeyPair): void {
    writeFileSync(this.files.certificateFile, certificate);
    writeFileSync(this.files.keyFile, key);
  }

  writeClientCa({ certificate }: KeyPair): void {
    writeFileSync(this.files.clientCaFile, certificate);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }
}

/** Only what never happens takes so long. */
const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 20_000 });

/** Gone with the test. */
function keptConnection(options: AgentOptions = {}): Agent {
  const agent = new Agent({ ...options, keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return agent;
}

describe("the certificate that is served with", () => {
  it("is replaced without a restart, and without an end to connections that there are", async () => {
    using folder = new CertificateFolder();
    folder.writePair(newPair());
    const { certificateFile, keyFile } = folder.files;
    const clock = new ManualClock();
    await using bench = await startProxyBench({ clock, tls: { certificateFile, keyFile } });
    const kept = keptConnection();
    const trusting = { ca: authority.certificate, rejectUnauthorized: true, servername: "localhost" };
    const asAnn = { token: "token-of-ann", ...trusting };
    const first = await ask(`${bench.url}/metrics`, { ...asAnn, agent: kept });
    folder.writePair(newPair());
    await clock.advance(60_000);
    await eventually(() => expect(bench.log.join()).toContain("serving with new certificates"));
    const other = await ask(`${bench.url}/metrics`, { ...asAnn, agent: new Agent() });
    expect(other.status).toBe(200);
    expect(other.serial).not.toBe(first.serial);
    const again = await ask(`${bench.url}/metrics`, { ...asAnn, agent: kept });
    expect([again.status, again.serial]).toEqual([200, first.serial]);
  });

  it("stays when the new one cannot be used, until one comes that can", async () => {
    using folder = new CertificateFolder();
    folder.writePair(newPair());
    const { certificateFile, keyFile } = folder.files;
    const clock = new ManualClock();
    await using bench = await startProxyBench({ clock, tls: { certificateFile, keyFile } });
    const serial = async () => (await ask(`${bench.url}/metrics`, { agent: new Agent() })).serial;
    const first = await serial();
    const next = newPair();
    writeFileSync(certificateFile, next.certificate);
    await clock.advance(60_000);
    await eventually(() => expect(bench.log.join()).toContain("the old ones are kept"));
    expect(await serial()).toBe(first);
    expect(bench.log.join()).not.toContain("PRIVATE");
    rmSync(keyFile);
    await clock.advance(60_000);
    await eventually(() => expect(bench.log.join()).toContain(`Cannot read ${keyFile}`));
    writeFileSync(keyFile, next.key);
    await clock.advance(60_000);
    await eventually(() => expect(bench.log.join()).toContain("serving with new certificates"));
    expect(await serial()).not.toBe(first);
  });

  it("has to be there at the start", async () => {
    const error = await startProxyBench({ tls: { certificateFile: "/no/tls.crt", keyFile: "/no/tls.key" } }).catch(
      (reason: unknown) => reason,
    );
    expect(hasErrorCode(error, "RBAC_PROXY_FILE_UNUSABLE")).toBe(true);
    expect(String(error)).toContain("/no/tls.crt");
  });

  it("is made on the spot where none is given", async () => {
    await using bench = await startProxyBench();
    expect((await ask(`${bench.url}/metrics`)).serial).toMatch(/^[0-9A-F]+$/);
  });
});

describe("the versions and ciphers", () => {
  it("are those of the flags", async () => {
    const cipherSuites = ["TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"];
    await using bench = await startProxyBench({ tls: { cipherSuites } });
    const statusWith = async (options: object) => (await ask(`${bench.url}/metrics`, options)).status;
    expect(await statusWith({ maxVersion: "TLSv1.2" })).toBe(401);
    expect(await statusWith({})).toBe(401);
    const other = { maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES256-GCM-SHA384" };
    await expect(statusWith(other)).rejects.toThrow(/handshake failure/);
    await expect(
      statusWith({ maxVersion: "TLSv1.1", minVersion: "TLSv1.1", ciphers: "ALL:@SECLEVEL=0" }),
    ).rejects.toThrow(/version/);
    await using strict = await startProxyBench({ tls: { minVersion: "VersionTLS13" } });
    await expect(ask(`${strict.url}/metrics`, { maxVersion: "TLSv1.2" })).rejects.toThrow(/version/);
  });

  it("go down to what is old where it is asked for", async () => {
    await using bench = await startProxyBench({ tls: { minVersion: "VersionTLS10" } });
    const old = { maxVersion: "TLSv1.1", minVersion: "TLSv1.1", ciphers: "ALL:@SECLEVEL=0" } as const;
    expect((await ask(`${bench.url}/metrics`, old)).status).toBe(401);
  });
});

describe("a client's certificate", () => {
  const clients = createAuthority("clients", validity);

  it("names the user and the groups, by HTTP/1.1 and HTTP/2", async () => {
    using folder = new CertificateFolder();
    folder.writeClientCa(clients);
    const identityHeaders = { user: "x-remote-user", groups: "x-remote-groups", separator: "," };
    await using bench = await startProxyBench({ tls: { clientCaFile: folder.files.clientCaFile }, identityHeaders });
    const pair = newClient(clients, "ann");
    expect((await ask(`${bench.url}/metrics`, pair)).status).toBe(200);
    const { headers } = await askByHttp2(bench.url, { ":path": "/metrics" }, undefined, pair);
    expect(headers[":status"]).toBe(200);
    for (const received of bench.received)
      expect(received.headers).toMatchObject({
        "x-remote-user": "ann",
        "x-remote-groups": "readers,system:authenticated",
      });
    expect(bench.api.asked).toEqual(["may ann get /metrics"]);
    expect((await ask(`${bench.url}/metrics`, newClient(clients, "bob"))).status).toBe(403);
  });

  it.each([
    ["of another authority", () => newClient(createAuthority("clients", validity), "ann")],
    ["that is for servers", () => newClient(clients, "ann", ["server"])],
    ["that names nobody", () => newClient(clients, "")],
  ])("%s is none, but a token still is", async (_, pair) => {
    using folder = new CertificateFolder();
    folder.writeClientCa(clients);
    await using bench = await startProxyBench({ tls: { clientCaFile: folder.files.clientCaFile } });
    expect((await ask(`${bench.url}/metrics`, pair())).status).toBe(401);
    expect((await ask(`${bench.url}/metrics`, { ...pair(), token: "token-of-ann" })).status).toBe(200);
  });

  it("is not asked for where there is no authority to check it by", async () => {
    await using bench = await startProxyBench();
    expect((await ask(`${bench.url}/metrics`, newClient(clients, "ann"))).status).toBe(401);
  });

  it("that has ended is none, also on a connection that there was before", async () => {
    using folder = new CertificateFolder();
    folder.writeClientCa(clients);
    let nowMs = Date.now();
    const clock = { ...systemClock, nowMs: () => nowMs };
    await using bench = await startProxyBench({ clock, tls: { clientCaFile: folder.files.clientCaFile } });
    const agent = keptConnection(newClient(clients, "ann"));
    expect((await ask(`${bench.url}/metrics`, { agent })).status).toBe(200);
    nowMs += 2 * hourMs;
    expect((await ask(`${bench.url}/metrics`, { agent })).status).toBe(401);
  });

  it("of an authority that is not trusted any more is none, also on a connection that there was before", async () => {
    using folder = new CertificateFolder();
    folder.writeClientCa(clients);
    // By which certificates are good.
    const clock = Object.assign(new ManualClock(), { nowMs: () => Date.now() });
    await using bench = await startProxyBench({ clock, tls: { clientCaFile: folder.files.clientCaFile } });
    const agent = keptConnection(newClient(clients, "ann"));
    expect((await ask(`${bench.url}/metrics`, { agent })).status).toBe(200);
    folder.writeClientCa(createAuthority("others", validity));
    await clock.advance(60_000);
    await eventually(() => expect(bench.log.join()).toContain("serving with new certificates"));
    // The first may find the connection just closed.
    await eventually(async () => expect((await ask(`${bench.url}/metrics`, { agent })).status).toBe(401));
  });
});
