import { describe, expect, it } from "vitest";
import { keyPairProblem } from "./key-pairs.ts";
import { secretTypeErrors } from "./secret-types.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const fieldsOf = (type: string, data: Record<string, string> = {}) =>
  secretTypeErrors({ type: `kubernetes.io/${type}`, metadata: {}, data }).map(({ field }) => field);

describe("a Secret of a type", () => {
  it("has the keys of that type", () => {
    expect(fieldsOf("tls")).toEqual(["data[tls.crt]", "data[tls.key]"]);
    expect(fieldsOf("basic-auth")).toEqual(["data[username]", "data[password]"]);
    expect(fieldsOf("basic-auth", { password: "" })).toEqual([]);
    expect(fieldsOf("ssh-auth", { "ssh-privatekey": "" })).toEqual(["data[ssh-privatekey]"]);
    expect(fieldsOf("service-account-token")).toEqual(["metadata.annotations[kubernetes.io/service-account.name]"]);
    expect(fieldsOf("own")).toEqual([]);
  });

  it.each([
    ["", "unexpected end of JSON input"],
    ["x", "invalid character 'x' looking for beginning of value"],
    ["nope", "invalid character 'o' in literal null (expecting 'u')"],
    ["[1]", "json: cannot unmarshal array into Go value of type map[string]interface {}"],
  ])("does not tell what is in it: %j", (text, problem) => {
    const data = { ".dockerconfigjson": base64(text) };
    const [error] = secretTypeErrors({ type: "kubernetes.io/dockerconfigjson", data });
    expect(error?.body).toBe(`Invalid value: "<secret contents redacted>": ${problem}`);
  });

  it("is told of when its certificate and its key are no pair", () => {
    const certificate = "-----BEGIN CERTIFICATE-----\nYQ==\n-----END CERTIFICATE-----";
    expect(keyPairProblem("", "")).toBe("tls: failed to find any PEM data in certificate input");
    expect(keyPairProblem(certificate, "")).toBe("tls: failed to find any PEM data in key input");
    expect(keyPairProblem(certificate, certificate)).toContain("found a certificate rather than a key");
  });
});
