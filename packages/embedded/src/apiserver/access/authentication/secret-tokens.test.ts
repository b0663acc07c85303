import { generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { createStore, type Store } from "../../store/index.ts";
import { removeCore, writeCore } from "../testing/core-objects.ts";
import { SecretTokens } from "./secret-tokens.ts";
import { readTokenKey, signToken } from "./token-key.ts";

const newKey = () =>
  readTokenKey(
    generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "sec1", format: "pem" }).toString(),
  );
const key = newKey();
const audiences = ["https://kubernetes.default.svc"];
const claims = {
  iss: "kubernetes/serviceaccount",
  "kubernetes.io/serviceaccount/namespace": "a",
  "kubernetes.io/serviceaccount/secret.name": "s",
  "kubernetes.io/serviceaccount/service-account.name": "robot",
  "kubernetes.io/serviceaccount/service-account.uid": "u1",
  sub: "system:serviceaccount:a:robot",
};
const token = signToken(key, claims);
const holding = (text: string) => ({ data: { token: Buffer.from(text).toString("base64") } });

let store: Store;
let tokens: SecretTokens;

beforeEach(async () => {
  store = createStore();
  tokens = new SecretTokens({ store, keys: [key], audiences });
  await writeCore(store, "serviceaccounts/a/robot", "u1");
  await writeCore(store, "secrets/a/s", "u2", holding(token));
});

const problem = (each: string) => {
  const result = tokens.authenticate(each, audiences);
  return result.isRecognised ? "recognised" : result.problem;
};

describe("a token that is kept in a Secret", () => {
  it("tells who it is", () => {
    expect(tokens.authenticate(token, audiences)).toEqual({
      isRecognised: true,
      audiences,
      user: {
        name: "system:serviceaccount:a:robot",
        uid: "u1",
        groups: ["system:serviceaccounts", "system:serviceaccounts:a"],
      },
    });
  });

  it("is good for the server alone", () => {
    expect(tokens.authenticate(token, ["vault"])).toEqual({
      isRecognised: false,
      problem: 'token audiences ["https://kubernetes.default.svc"] is invalid for the target audiences ["vault"]',
    });
  });

  it("ends with what the Secret has", async () => {
    await writeCore(store, "secrets/a/s", "u2", holding("other"));
    expect(problem(token)).toBe("Token does not match server's copy");
    await writeCore(store, "secrets/a/s", "u2", {
      ...holding(token),
      metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" },
    });
    expect(problem(token)).toBe("Token has been invalidated");
    await removeCore(store, "secrets/a/s");
    expect(problem(token)).toBe("Token has been invalidated");
  });

  it("ends with its account", async () => {
    await removeCore(store, "serviceaccounts/a/robot");
    expect(problem(token)).toBe('serviceaccounts "robot" not found');
    await writeCore(store, "serviceaccounts/a/robot", "new");
    expect(problem(token)).toBe("ServiceAccount UID (new) does not match claim (u1)");
  });

  it("has to be signed by us, and whole", async () => {
    expect(problem(signToken(newKey(), claims))).toBe("invalid signature, no keys found");
    expect(problem(signToken({ ...newKey(), id: key.id }, claims))).toBe(
      "go-jose/go-jose: error in cryptographic primitive",
    );
    expect(problem(signToken(key, { ...claims, sub: "system:serviceaccount:a:other" }))).toBe("sub claim is invalid");
    expect(problem(signToken(key, { iss: claims.iss, sub: claims.sub }))).toBe("namespace claim is missing");
    expect(problem(signToken(key, { ...claims, iss: "https://other" }))).toBeUndefined();
    expect(problem("junk")).toBeUndefined();
  });
});
