import { createPrivateKey, X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createAuthority, createCertificate } from "./certificate.ts";

const authority = createAuthority("lab-ca");
const pair = createCertificate(authority, "lab-ca", {
  commonName: "system:node:lab",
  organization: "system:nodes",
  names: ["localhost", "kubernetes.default.svc", "127.0.0.1", "10.96.0.1"],
});
const [issuer, certificate] = [new X509Certificate(authority.certificate), new X509Certificate(pair.certificate)];

describe("a certificate of the lab", () => {
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
    expect(certificate.subject.split("\n")).toEqual(["O=system:nodes", "CN=system:node:lab"]);
  });

  it("is good for each name and address of the server, and for no other", () => {
    expect(certificate.checkHost("kubernetes.default.svc")).toBe("kubernetes.default.svc");
    expect(certificate.checkIP("10.96.0.1")).toBe("10.96.0.1");
    expect(certificate.checkHost("example.org")).toBeUndefined();
    expect(certificate.checkIP("10.96.0.2")).toBeUndefined();
  });

  it("may be used by servers and by clients", () => {
    expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]);
  });

  it("is valid from a little before now until years from now", () => {
    expect(certificate.validFromDate.getTime()).toBeLessThan(Date.now());
    expect(certificate.validToDate.getUTCFullYear()).toBeGreaterThanOrEqual(new Date().getUTCFullYear() + 9);
  });

  it("has a number of its own", () => expect(certificate.serialNumber).not.toBe(issuer.serialNumber));
});
