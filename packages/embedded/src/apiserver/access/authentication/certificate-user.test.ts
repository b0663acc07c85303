import { X509Certificate } from "node:crypto";
import { createAuthority, issueCertificate } from "@stowage/machinery/certificates";
import { describe, expect, it } from "vitest";
import { certificateUser } from "./certificate-user.ts";

const validity = { fromMs: 0, untilMs: Date.UTC(2100, 0, 1) };

/** O=dev, O=ops, uid u-1, CN=old, CN=ann; made by openssl, since ours have one of each. */
const several = `-----BEGIN CERTIFICATE-----
MIIBlTCCATsCFHNojP+kNpuEVriOTel9hi6h5rk8MAoGCCqGSM49BAMCMEwxDDAK
BgNVBAoMA2RldjEMMAoGA1UECgwDb3BzMRIwEAYJKwYBBAGDwlMCDAN1LTExDDAK
BgNVBAMMA29sZDEMMAoGA1UEAwwDYW5uMCAXDTI2MTExNTE4MDY1M1oYDzIxMjYx
MDIyMTgwNjUzWjBMMQwwCgYDVQQKDANkZXYxDDAKBgNVBAoMA29wczESMBAGCSsG
AQQBg8JTAgwDdS0xMQwwCgYDVQQDDANvbGQxDDAKBgNVBAMMA2FubjBZMBMGByqG
SM49AgEGCCqGSM49AwEHA0IABKVILLOMAViYp17qfskycV591tNI5ok+q9Ho6U+d
Fw6ctng6yYzfLEQAS13RE+5xziNjgXV2Pt1/w3zWUul3nE4wCgYIKoZIzj0EAwID
SAAwRQIhALGa975tm4v8lfhFnBx4d9blyfSyDUvexlceqBLgQsdgAiAY45izRhHX
Qhx48GmlBJIrOPEyB+uhO+TT8qTCizKKMw==
-----END CERTIFICATE-----`;

/** O=dev, uids u-1 and u-2, CN=ann. */
const twoUids = `-----BEGIN CERTIFICATE-----
MIIBhDCCASsCFD+0QgGZfAUVpSGl/HIm0ay4sr/OMAoGCCqGSM49BAMCMEQxDDAK
BgNVBAoMA2RldjESMBAGCSsGAQQBg8JTAgwDdS0xMRIwEAYJKwYBBAGDwlMCDAN1
LTIxDDAKBgNVBAMMA2FubjAgFw0yNjExMTUxODA2NTNaGA8yMTI2MTAyMjE4MDY1
M1owRDEMMAoGA1UECgwDZGV2MRIwEAYJKwYBBAGDwlMCDAN1LTExEjAQBgkrBgEE
AYPCUwIMA3UtMjEMMAoGA1UEAwwDYW5uMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAEpUgss4wBWJinXup+yTJxXn3W00jmiT6r0ejpT50XDpy2eDrJjN8sRABLXdET
7nHOI2OBdXY+3X/DfNZS6XecTjAKBggqhkjOPQQDAgNHADBEAiA0d8MkVvB2lLIf
musrnz0jcTG0LGQ0vHjkHd2rrCUQKwIgf00JWIt5Kzzdg9vhLMiX4FsRmrODttCv
YRorMtGJAFw=
-----END CERTIFICATE-----`;

describe("a certificate", () => {
  it("is for the user of its common name, in the group of its organization", () => {
    const authority = createAuthority("ca", validity);
    const subject = { commonName: "bob", organization: "system:masters", usages: ["client"] as const, validity };
    const certificate = new X509Certificate(issueCertificate(authority, subject).certificate);
    const fingerprint = certificate.fingerprint256.replaceAll(":", "").toLowerCase();
    expect(certificateUser(certificate)).toEqual({
      name: "bob",
      groups: ["system:masters"],
      extra: { "authentication.kubernetes.io/credential-id": [`X509SHA256=${fingerprint}`] },
    });
  });

  it("can name several groups, a uid, and several users of whom the last counts", () => {
    expect(certificateUser(new X509Certificate(several))).toMatchObject({
      name: "ann",
      uid: "u-1",
      groups: ["dev", "ops"],
    });
  });

  it("with two uids is for nobody", () => {
    expect(() => certificateUser(new X509Certificate(twoUids))).toThrow("Unauthorized");
  });

  it("without a common name says nothing", () => {
    const authority = createAuthority("", validity);
    expect(certificateUser(new X509Certificate(authority.certificate))).toBeUndefined();
  });
});
