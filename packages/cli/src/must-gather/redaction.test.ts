import type { ConfigMap, KubernetesObject, Secret } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { KnownSecrets } from "./known-secrets.ts";
import { redactedObject } from "./redaction.ts";
import {
  isSensitiveName,
  withoutSensitiveEntries,
  withoutSensitiveFlags,
  withoutTellingParts,
} from "./sensitive-text.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

function secret(data: Record<string, string>): Secret {
  const encoded = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)]));
  return { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, data: encoded };
}

function knowing(data: Record<string, string>): KnownSecrets {
  const known = new KnownSecrets();
  known.add(secret(data));
  return known;
}

const redacted = <T extends KubernetesObject>(object: T, known = new KnownSecrets(), isStrict = false) =>
  redactedObject(object, { known, isStrict }) as T;

const object = (rest: object, metadata: object = {}) =>
  ({ apiVersion: "v1", kind: "Any", metadata: { name: "a", ...metadata }, ...rest }) as KubernetesObject;

describe("a name", () => {
  test.each([
    "password",
    "OS_PASSWORD",
    "clientSecret",
    "AWS_SECRET_ACCESS_KEY",
    "api-key",
    "sasToken",
    "tls.private-key",
  ])("of a secret is %s", (name) => expect(isSensitiveName(name)).toBe(true));
  test.each(["secretName", "csi.storage.k8s.io/provisioner-secret-name", "tokenFile", "kmsKeyID", "region", "keyPath"])(
    "of something else is %s",
    (name) => expect(isSensitiveName(name)).toBe(false),
  );
});

describe("text", () => {
  test.each([
    ["http://me:pass@host/x", "http://redacted@host/x"],
    ["-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\nrest", "redacted\nrest"],
    ["-----BEGIN RSA PRIVATE KEY-----\ncut off", "redacted"],
    ["token eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl ends", "token redacted ends"],
    ["Authorization: Bearer abcdefgh12345", "Authorization: Bearer redacted"],
    ["https://host/path and a@b.c", "https://host/path and a@b.c"],
    ["-----BEGIN CERTIFICATE-----\nabc", "-----BEGIN CERTIFICATE-----\nabc"],
  ])("loses what gives itself away: %j", (text, expected) => {
    expect(withoutTellingParts(text)).toBe(expected);
  });

  test.each([
    ["INI", "[Global]\nuser = me\npassword=x y\n", "[Global]\nuser = me\npassword= redacted\n"],
    ["YAML", "a: 1\npassword: x\nb: 2", "a: 1\npassword: redacted\nb: 2"],
    ["a block of YAML", "a:\n  password: |\n    x\n\n    y\n  b: 2", "a:\n  password: redacted\n  b: 2"],
    ["a mapping below", "clouds:\n  auth:\n    user: me\n  region: r", "clouds:\n  auth: redacted\n  region: r"],
    ["an item", "- token: x\n- name: y", "- token: redacted\n- name: y"],
    ["JSON", '{"a":{"token":"x\\"y"},"b":1}', '{"a":{"token":"redacted"},"b":1}'],
    ["none", "secretName: x\nhello", "secretName: x\nhello"],
  ])("of a file loses the values of telling entries: %s", (_, text, expected) => {
    expect(withoutSensitiveEntries(text)).toBe(expected);
  });

  test.each([
    [
      ["--password=x", "--v=2"],
      ["--password=redacted", "--v=2"],
    ],
    [
      ["--token", "x", "-n", "y"],
      ["--token", "redacted", "-n", "y"],
    ],
    [
      ["--token", "--v=2"],
      ["--token", "--v=2"],
    ],
    [
      ["--tls-private-key=/etc/key", "--token", "/var/token"],
      ["--tls-private-key=/etc/key", "--token", "/var/token"],
    ],
  ])("of a command line does: %j", (words, expected) => {
    expect(withoutSensitiveFlags(words)).toEqual(expected);
  });
});

describe("values of Secrets", () => {
  const known = knowing({
    password: "pw-1",
    plain: "long-enough",
    short: "abc",
    namespace: "kube-system",
    "clouds.yaml": "auth:\n  password: 'in-a-file'\n",
  });

  test.each([
    ["as they are", "x pw-1 long-enough y", "x redacted redacted y"],
    ["in base64", `x ${base64("long-enough")}`, "x redacted"],
    ["out of a file", "x in-a-file", "x redacted"],
    ["too short to be told from anything else", "abcdef", "abcdef"],
    ["that are no secret", "kube-system", "kube-system"],
  ])("are found %s", (_, text, expected) => {
    expect(known.scrub(text)).toBe(expected);
  });

  it("are found as a whole, also where one begins another, and as JSON and addresses have them", () => {
    const more = knowing({ a: "same-start", b: "same-start-and-more", c: 'quoted "word" &' });
    expect(more.scrub("same-start-and-more same-start")).toBe("redacted redacted");
    expect(more.scrub(JSON.stringify({ x: 'quoted "word" &' }))).toBe('{"x":"redacted"}');
    expect(more.scrub(`?q=${encodeURIComponent('quoted "word" &')}`)).toBe("?q=redacted");
  });

  it("that are long are found to their end, and not what only begins like them", () => {
    const beginning = "the same for both of them ";
    const more = knowing({ a: `${beginning}one`, b: `${beginning}one and two`, password: "the same" });
    expect(more.scrub(`x ${beginning}one and two, ${beginning}one.`)).toBe("x redacted, redacted.");
    expect(more.scrub(`${beginning}none`)).toBe("redacted for both of them none");
    expect(more.scrub(beginning.repeat(2) + "one")).toBe("redacted for both of them redacted");
  });

  it("are found between characters of two units, and within them", () => {
    const long = "\u{1F511}".repeat(20);
    const more = knowing({ a: long, b: "\u{1F511}\u{1F512}\u{1F511}" });
    expect(more.scrub(`\u{1F511}x${long}\u{1F511}`)).toBe("\u{1F511}xredacted\u{1F511}");
    expect(more.scrub("\u{1F511}\u{1F512}\u{1F511}")).toBe("redacted");
  });

  it("are looked for however many and large they are, and never told in an error", () => {
    const known = new KnownSecrets();
    const valueOf = (index: number) => `${index}-`.repeat(100_000);
    for (let index = 0; index < 50; index++) known.add(secret({ value: valueOf(index) }));
    expect(known.scrub(`a ${valueOf(7)} b ${base64(valueOf(8))}`)).toBe("a redacted b redacted");
  });
});

describe("an object as it is written", () => {
  it("has no managedFields and no copy of what was applied", () => {
    const annotations = { "kubectl.kubernetes.io/last-applied-configuration": "{}", "x/token": "t", note: "n" };
    expect(redacted(object({}, { annotations, managedFields: [{ manager: "m" }] })).metadata).toEqual({
      name: "a",
      annotations: { "kubectl.kubernetes.io/last-applied-configuration": "redacted", "x/token": "redacted", note: "n" },
    });
  });

  it("that is a Secret has keys, and says which are empty", () => {
    const written = redacted({ ...secret({ a: "x", b: "" }), metadata: { name: "s", annotations: { any: "x" } } });
    expect(written.data).toEqual({ a: "redacted", b: "" });
    expect(written.metadata.annotations).toEqual({ any: "redacted" });
  });

  it("that is a ConfigMap has its text without secrets, and nothing that is no text", () => {
    const map: ConfigMap = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "m" },
      data: { "a.conf": "x=1\npassword=y", token: "t" },
      binaryData: { b: "AA==" },
    };
    expect(redacted(map)).toMatchObject({
      data: { "a.conf": "x=1\npassword= redacted", token: "redacted" },
      binaryData: { b: "redacted" },
    });
  });

  it("has variables and arguments without secrets, by name and by value", () => {
    const container = {
      args: ["--token=x", "run known-value"],
      env: [
        { name: "A_TOKEN", value: "x" },
        { name: "A", value: "known-value" },
        { name: "B", valueFrom: { secretKeyRef: { name: "s", key: "token" } } },
      ],
    };
    expect(redacted(object({ spec: { containers: [container] } }), knowing({ v: "known-value" }))).toMatchObject({
      spec: {
        containers: [
          {
            args: ["--token=redacted", "run redacted"],
            env: [
              { name: "A_TOKEN", value: "redacted" },
              { name: "A", value: "redacted" },
              { name: "B", valueFrom: { secretKeyRef: { name: "s", key: "token" } } },
            ],
          },
        ],
      },
    });
  });

  it("has no free text at all where nobody knows what to look for", () => {
    const map = { ...object({ data: { a: "b" } }, { annotations: { a: "b" } }), kind: "ConfigMap" };
    expect(redacted(map, new KnownSecrets(), true)).toMatchObject({
      metadata: { annotations: { a: "redacted" } },
      data: { a: "redacted" },
    });
    const pod = object({ spec: { containers: [{ env: [{ name: "A", value: "b" }], args: ["run", "--v=2", "-x"] }] } });
    expect(redacted(pod, new KnownSecrets(), true)).toMatchObject({
      spec: { containers: [{ env: [{ name: "A", value: "redacted" }], args: ["redacted", "--v=redacted", "-x"] }] },
    });
    const free = object({ spec: { unsupportedConfigOverrides: { a: ["b", 1, { c: "d" }] }, kept: "kept" } });
    expect(redacted(free, new KnownSecrets(), true)).toMatchObject({
      spec: { unsupportedConfigOverrides: { a: ["redacted", 1, { c: "redacted" }] }, kept: "kept" },
    });
  });

  it("is otherwise what it was", () => {
    const plain = object({ spec: { replicas: 2, isOn: true, none: null, list: [1, "x", { secretName: "s" }] } });
    expect(redacted(plain)).toEqual(plain);
  });
});
