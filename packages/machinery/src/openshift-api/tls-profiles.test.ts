import { describe, expect, it } from "vitest";
import { ianaCipherName, openSslCipherName, tlsProfiles, tlsSettingsOf } from "./tls-profiles.ts";

describe("the profiles", () => {
  it.each([
    ["Old", "VersionTLS10", 24],
    ["Intermediate", "VersionTLS12", 9],
    ["Modern", "VersionTLS13", 3],
  ] as const)("%s begins at %s and has %i ciphers, each with a name of IANA", (type, minTLSVersion, count) => {
    const settings = tlsSettingsOf({ type });
    expect(settings).toMatchObject({ minTLSVersion, unknownCiphers: [] });
    expect(new Set(settings.cipherSuites).size).toBe(count);
  });

  it("each have what the stricter one has, first", () => {
    const { Old, Intermediate, Modern } = tlsProfiles;
    expect(Intermediate.ciphers.slice(0, Modern.ciphers.length)).toEqual(Modern.ciphers);
    expect(Old.ciphers.slice(0, Intermediate.ciphers.length)).toEqual(Intermediate.ciphers);
  });
});

describe("the settings", () => {
  it.each([
    ["there is no profile", undefined],
    ["it has no type", {}],
    ["it is custom and there is nothing", { type: "Custom" }],
    ["it is custom and null", { type: "Custom", custom: null }],
    ["custom ciphers stand beside another type", { type: "Intermediate", custom: { ciphers: ["AES128-SHA"] } }],
  ] as const)("are those of Intermediate when %s", (_, profile) => {
    expect(tlsSettingsOf(profile as Parameters<typeof tlsSettingsOf>[0])).toEqual(
      tlsSettingsOf({ type: "Intermediate" }),
    );
  });

  it("of a custom profile are its own, in its order, and what is unknown is told apart", () => {
    const ciphers = ["ECDHE-RSA-CHACHA20-POLY1305", "NULL-MD5", "TLS_AES_128_GCM_SHA256"];
    expect(tlsSettingsOf({ type: "Custom", custom: { ciphers, minTLSVersion: "VersionTLS11" } })).toEqual({
      minTLSVersion: "VersionTLS11",
      cipherSuites: ["TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256"],
      unknownCiphers: ["NULL-MD5"],
    });
  });

  it("of a custom profile without a version begin where Intermediate does", () => {
    expect(tlsSettingsOf({ type: "Custom", custom: { ciphers: ["AES128-SHA"] } }).minTLSVersion).toBe("VersionTLS12");
  });
});

it("gives no name of IANA to what is no name of OpenSSL", () => {
  expect(ianaCipherName("constructor")).toBeUndefined();
  expect(ianaCipherName("ecdhe-rsa-aes128-gcm-sha256")).toBeUndefined();
});

it("finds OpenSSL's name for every name of IANA that it gives, and for no other", () => {
  for (const cipher of tlsProfiles.Old.ciphers) expect(openSslCipherName(ianaCipherName(cipher) ?? "")).toBe(cipher);
  expect(openSslCipherName("ECDHE-RSA-AES128-GCM-SHA256")).toBeUndefined();
});
