import { execFileSync } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, createServer } from "node:tls";
import { createAuthority, issueCertificate, type KeyPair } from "@stowage/machinery/certificates";
import { describe, expect, it } from "vitest";
import { dnsNamesOf, isIssuedBy, isPair, readBundle, readCertificate } from "./certificate-check.ts";

const dayMs = 86_400_000;
const validity = { fromMs: Date.now() - dayMs, untilMs: Date.now() + dayMs };
const dnsNames = ["metrics.ns.svc", "metrics.ns.svc.cluster.local"];
const authority = createAuthority("signer", validity);
const pair = issueCertificate(authority, {
  commonName: "metrics.ns.svc",
  names: dnsNames,
  usages: ["server"],
  validity,
});
const [issuer, certificate] = [new X509Certificate(authority.certificate), new X509Certificate(pair.certificate)];

describe("a serving certificate", () => {
  it("is signed by its authority, which signed itself and no other", () => {
    expect(issuer.ca).toBe(true);
    expect(isIssuedBy(issuer, issuer)).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(isIssuedBy(certificate, issuer)).toBe(true);
    const impostor = new X509Certificate(createAuthority("signer", validity).certificate);
    expect(isIssuedBy(certificate, impostor)).toBe(false);
  });

  it("belongs to its key and to no other", () => {
    expect(certificate.checkPrivateKey(createPrivateKey(pair.key))).toBe(true);
    expect(isPair(pair)).toBe(true);
    expect(isPair({ ...pair, key: authority.key })).toBe(false);
    expect(isPair({ ...pair, key: "nonsense" })).toBe(false);
  });

  it("is for servers, for the names that were asked for, and as long as was asked for", () => {
    expect(dnsNamesOf(certificate)).toEqual(dnsNames);
    expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect(certificate.validToDate.getTime()).toBe(Math.floor(validity.untilMs / 1000) * 1000);
  });

  it("satisfies openssl", () => {
    expect(opensslVerdict(authority, pair)).toContain("OK");
  });

  it("satisfies a client that trusts the authority, also when a namesake stands before it", async () => {
    const namesake = createAuthority("signer", validity).certificate;
    expect(await servedTo([namesake, authority.certificate], "metrics.ns.svc")).toBe("authorized");
  });

  it("does not satisfy a client that asks for another name, or trusts another", async () => {
    expect(await servedTo([authority.certificate], "other.ns.svc")).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
    const other = createAuthority("signer", validity).certificate;
    expect(await servedTo([other], "metrics.ns.svc")).not.toBe("authorized");
  });
});

it("a bundle is read as far as it can be", () => {
  expect(readBundle(`${authority.certificate}rubbish\n${pair.certificate}`)).toHaveLength(2);
  expect(readBundle("rubbish")).toEqual([]);
  expect(readCertificate("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----")).toBeUndefined();
});

function opensslVerdict(signer: KeyPair, { certificate: leaf }: KeyPair): string {
  const directory = mkdtempSync(join(tmpdir(), "stowage-certificate-"));
  try {
    writeFileSync(join(directory, "ca"), signer.certificate);
    writeFileSync(join(directory, "leaf"), leaf);
    const strict = ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", "ca", "leaf"];
    return execFileSync("openssl", strict, { cwd: directory, encoding: "utf8" });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function servedTo(ca: string[], servername: string): Promise<string> {
  const server = createServer({ cert: pair.certificate, key: pair.key });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect({ port, host: "127.0.0.1", ca, servername }, () => resolve("authorized"));
  socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  const verdict = await promise;
  socket.destroy();
  await new Promise((done) => server.close(done));
  return verdict;
}
