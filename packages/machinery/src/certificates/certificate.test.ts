import { execFileSync } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createAuthority, issueCertificate } from "./certificate.ts";

const dayMs = 86_400_000;
const validity = { fromMs: Date.now() - dayMs, untilMs: Date.now() + dayMs };
const authority = createAuthority("signer", validity);
const pair = issueCertificate(authority, {
  commonName: "system:node:one",
  organization: "system:nodes",
  names: ["localhost", "kubernetes.default.svc", "127.0.0.1", "10.96.0.1"],
  usages: ["server", "client"],
  validity,
});
const [issuer, certificate] = [new X509Certificate(authority.certificate), new X509Certificate(pair.certificate)];

describe("a certificate", () => {
  it("is issued and signed by its authority, which signed itself", () => {
    expect(issuer.ca).toBe(true);
    expect(issuer.verify(issuer.publicKey)).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(certificate.checkIssued(issuer)).toBe(true);
    expect(certificate.verify(issuer.publicKey)).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(false);
  });

  it("belongs to its key", () => expect(certificate.checkPrivateKey(createPrivateKey(pair.key))).toBe(true));

  it("names the user and the group", () => {
    expect(certificate.subject.split("\n")).toEqual(["O=system:nodes", "CN=system:node:one"]);
  });

  it("is good for each name and address of the server, and for no other", () => {
    expect(certificate.checkHost("kubernetes.default.svc")).toBe("kubernetes.default.svc");
    expect(certificate.checkIP("10.96.0.1")).toBe("10.96.0.1");
    expect(certificate.checkHost("example.org")).toBeUndefined();
    expect(certificate.checkIP("10.96.0.2")).toBeUndefined();
  });

  it("may be used for what was asked for, as long as was asked for", () => {
    expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]);
    expect(certificate.validToDate.getTime()).toBe(Math.floor(validity.untilMs / 1000) * 1000);
  });

  it("has a number of its own", () => expect(certificate.serialNumber).not.toBe(issuer.serialNumber));

  it("of a long name has a common name that is short enough", () => {
    const long = `${"a".repeat(63)}.${"b".repeat(60)}.svc`;
    const issued = issueCertificate(authority, { commonName: long, names: [long], usages: ["server"], validity });
    expect(new X509Certificate(issued.certificate).checkHost(long)).toBe(long);
    expect(opensslVerdict("sslserver", issued.certificate)).toContain("OK");
  });

  it.each(["sslserver", "sslclient"])("satisfies openssl as %s", (purpose) => {
    expect(opensslVerdict(purpose, pair.certificate)).toContain("OK");
  });
});

function opensslVerdict(purpose: string, leaf: string): string {
  const directory = mkdtempSync(join(tmpdir(), "stowage-certificate-"));
  try {
    writeFileSync(join(directory, "ca"), authority.certificate);
    writeFileSync(join(directory, "leaf"), leaf);
    const strict = ["verify", "-x509_strict", "-purpose", purpose, "-CAfile", "ca", "leaf"];
    return execFileSync("openssl", strict, { cwd: directory, encoding: "utf8" });
  } finally {
    rmSync(directory, { recursive: true });
  }
}
