import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { createAuthority, issueCertificate } from "@stowage/machinery/certificates";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import { createStore } from "../../store/index.ts";
import { Authenticator, type Credentials } from "./authenticator.ts";
import { ServiceAccountTokens } from "./service-account-tokens.ts";
import { parseTokenFile } from "./token-file.ts";
import { readTokenKey } from "./token-key.ts";

const key = readTokenKey(
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
);
const audiences = ["https://me"];

function authenticator(allowsAnonymous: boolean): Authenticator {
  const deps = { store: createStore(), clock: new ManualClock(), keys: [key] as const, audiences };
  const serviceAccountTokens = new ServiceAccountTokens({ ...deps, issuers: ["https://me"] });
  const staticTokens = parseTokenFile("secret,bob,9\nodd,eve,8,system:unauthenticated");
  return new Authenticator({ staticTokens, serviceAccountTokens, audiences, allowsAnonymous });
}

function certificate(commonName: string): X509Certificate {
  const validity = { fromMs: 0, untilMs: Date.UTC(2100, 0, 1) };
  const subject = { commonName, organization: "dev", usages: ["client"] as const, validity };
  return new X509Certificate(issueCertificate(createAuthority("ca", validity), subject).certificate);
}

const ann = certificate("ann");

describe("a request", () => {
  it.each<[string, Credentials, string, string[]]>([
    ["with a certificate", { certificate: ann }, "ann", ["dev", "system:authenticated"]],
    [
      "with a certificate and a wrong token",
      { certificate: ann, authorization: "Bearer x" },
      "ann",
      ["dev", "system:authenticated"],
    ],
    ["with a token", { authorization: "Bearer secret" }, "bob", ["system:authenticated"]],
    ["with a token, however it is written", { authorization: "  bearer secret more" }, "bob", ["system:authenticated"]],
    [
      "with a token of somebody in no group of that kind",
      { authorization: "Bearer odd" },
      "eve",
      ["system:unauthenticated"],
    ],
    ["with nothing", {}, "system:anonymous", ["system:unauthenticated"]],
    ["with another scheme", { authorization: "Basic secret" }, "system:anonymous", ["system:unauthenticated"]],
    [
      "with two spaces before the token",
      { authorization: "Bearer  secret" },
      "system:anonymous",
      ["system:unauthenticated"],
    ],
    ["with a certificate for nobody", { certificate: certificate("") }, "system:anonymous", ["system:unauthenticated"]],
  ])("%s is of somebody", (_what, credentials, name, groups) => {
    expect(authenticator(true).authenticate(credentials)).toMatchObject({ name, groups });
  });

  it("with a wrong token is refused, even where nobody in particular is let in", () => {
    expect(() => authenticator(true).authenticate({ authorization: "Bearer x" })).toThrow("Unauthorized");
  });

  it("with nothing is refused where that is not allowed", () => {
    expect(() => authenticator(false).authenticate({})).toThrow("Unauthorized");
  });
});
