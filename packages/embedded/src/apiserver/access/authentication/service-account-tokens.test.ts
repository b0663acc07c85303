import { createPublicKey, createVerify, generateKeyPairSync } from "node:crypto";
import { hasErrorCode } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { createStore, type Store } from "../../store/index.ts";
import { removeCore, writeCore } from "../testing/core-objects.ts";
import { refusalOf } from "../testing/refusal.ts";
import { openIdConfiguration, openIdKeys } from "./openid-documents.ts";
import type { BoundClaims } from "./service-account-claims.ts";
import { ServiceAccountTokens } from "./service-account-tokens.ts";
import { readTokenKey, signToken } from "./token-key.ts";

const pem = (namedCurve: string) =>
  generateKeyPairSync("ec", { namedCurve }).privateKey.export({ type: "sec1", format: "pem" }).toString();
const rsaPem = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();
const key = readTokenKey(pem("P-256"));
const server = ["https://kubernetes.default.svc"];

let store: Store;
let clock: ManualClock;
let tokens: ServiceAccountTokens;

beforeEach(async () => {
  store = createStore();
  clock = new ManualClock();
  tokens = new ServiceAccountTokens({ store, clock, keys: [key], issuers: ["https://me"], audiences: server });
  await writeCore(store, "serviceaccounts/a/robot", "u1");
  await writeCore(store, "pods/a/p", "u2");
  await writeCore(store, "secrets/a/s", "u3");
  await writeCore(store, "nodes/n", "u4");
});

const issue = (bound: BoundClaims = {}, audiences: readonly string[] = server) =>
  tokens.issue({
    nowMs: clock.nowMs(),
    audiences,
    expirationSeconds: 600,
    warnAfterSeconds: undefined,
    namespace: "a",
    account: { name: "robot", uid: "u1" },
    bound,
  });
const claimsOf = (token: string) => {
  const [header = "", payload = ""] = token.split(".");
  return [header, payload].map((part) => JSON.parse(Buffer.from(part, "base64url").toString()) as object);
};
const problem = (token: string, audiences: readonly string[] = server) => {
  const result = tokens.authenticate(token, audiences);
  return result.isRecognised ? "recognised" : result.problem;
};

describe("a service account's token", () => {
  it("has the claims of Kubernetes, in their order", () => {
    const token = issue({ pod: { name: "p", uid: "u2" }, node: { name: "n", uid: "u4" } });
    const [header, claims] = claimsOf(token);
    expect(header).toEqual({ alg: "ES256", kid: key.id });
    const nowSeconds = clock.nowMs() / 1000;
    expect(claims).toEqual({
      aud: server,
      exp: nowSeconds + 600,
      iat: nowSeconds,
      iss: "https://me",
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      "kubernetes.io": {
        namespace: "a",
        node: { name: "n", uid: "u4" },
        pod: { name: "p", uid: "u2" },
        serviceaccount: { name: "robot", uid: "u1" },
      },
      nbf: nowSeconds,
      sub: "system:serviceaccount:a:robot",
    });
    expect(Object.keys(claims ?? {})).toEqual(Object.keys(claims ?? {}).toSorted());
  });

  it("tells who it is, and what it is bound to", () => {
    const token = issue({ pod: { name: "p", uid: "u2" }, node: { name: "n", uid: "u4" } });
    const { jti } = claimsOf(token)[1] as { jti: string };
    expect(tokens.authenticate(token, [...server, "other"])).toEqual({
      isRecognised: true,
      audiences: server,
      user: {
        name: "system:serviceaccount:a:robot",
        uid: "u1",
        groups: ["system:serviceaccounts", "system:serviceaccounts:a"],
        extra: {
          "authentication.kubernetes.io/credential-id": [`JTI=${jti}`],
          "authentication.kubernetes.io/node-name": ["n"],
          "authentication.kubernetes.io/node-uid": ["u4"],
          "authentication.kubernetes.io/pod-name": ["p"],
          "authentication.kubernetes.io/pod-uid": ["u2"],
        },
      },
    });
  });

  it("is good for its audiences alone", () => {
    expect(problem(issue({}, ["vault"]))).toBe(
      'token audiences ["vault"] is invalid for the target audiences ["https://kubernetes.default.svc"]',
    );
    expect(problem(issue({}, ["vault"]), ["vault"])).toBe("recognised");
  });

  it("counts from a minute before its time to a minute after", async () => {
    const token = issue();
    await clock.advance(660_000);
    expect(problem(token)).toBe("recognised");
    await clock.advance(1);
    expect(problem(token)).toBe("service account token has expired");
    const later = new ManualClock();
    await later.advance(3_600_000);
    const early = new ServiceAccountTokens({
      store,
      clock: later,
      keys: [key],
      issuers: ["https://me"],
      audiences: server,
    });
    const ahead = early.issue({
      nowMs: later.nowMs(),
      audiences: server,
      expirationSeconds: 600,
      warnAfterSeconds: undefined,
      namespace: "a",
      account: { name: "robot", uid: "u1" },
      bound: {},
    });
    expect(problem(ahead)).toBe("service account token is not valid yet");
  });

  const bound = {
    pods: { pod: { name: "p", uid: "u2" } },
    secrets: { secret: { name: "s", uid: "u3" } },
    nodes: { node: { name: "n", uid: "u4" } },
  };

  it.each<[string, BoundClaims, string, string]>([
    ["pod", bound.pods, "pods/a/p", "pod UID (new) does not match service account pod ref claim (u2)"],
    ["secret", bound.secrets, "secrets/a/s", "secret UID (new) does not match service account secret ref claim (u3)"],
    ["node", bound.nodes, "nodes/n", "node UID (new) does not match service account node ref claim (u4)"],
  ])("ends with the %s that it is bound to", async (_kind, claims, place, otherUid) => {
    const token = issue(claims);
    expect(problem(token)).toBe("recognised");
    const { uid } = Object.values(claims)[0] as { uid: string };
    await writeCore(store, place, uid, { metadata: { deletionTimestamp: "2026-01-31T15:04:05Z" } });
    expect(problem(token)).toBe("recognised");
    await clock.advance(61_000);
    expect(problem(token)).toBe("service account token has been invalidated");
    await removeCore(store, place);
    expect(problem(token)).toBe("service account token has been invalidated");
    await writeCore(store, place, "new");
    expect(problem(token)).toBe(otherUid);
  });

  it("ends with its account", async () => {
    const token = issue();
    await removeCore(store, "serviceaccounts/a/robot");
    expect(problem(token)).toBe('serviceaccounts "robot" not found');
    await writeCore(store, "serviceaccounts/a/robot", "new");
    expect(problem(token)).toBe("service account UID (new) does not match claim (u1)");
    await writeCore(store, "serviceaccounts/a/robot", "u1", {
      metadata: { deletionTimestamp: "2026-01-31T15:03:00Z" },
    });
    expect(problem(token)).toBe("service account a/robot has been deleted");
  });

  it("is not told from a node that its pod has left", async () => {
    const token = issue({ ...bound.pods, ...bound.nodes });
    await removeCore(store, "nodes/n");
    expect(problem(token)).toBe("recognised");
  });

  it("that is not ours, or was changed, is told from one that is", () => {
    const [head = "", payload = "", signature = ""] = issue().split(".");
    const other = readTokenKey(pem("P-256"));
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as { iss: string };
    const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
    const hmac = Buffer.from(JSON.stringify({ alg: "HS256", kid: key.id })).toString("base64url");
    const crypto = "go-jose/go-jose: error in cryptographic primitive";
    expect(problem(signToken(other, claims))).toBe("invalid signature, no keys found");
    expect(problem(signToken({ ...other, id: key.id }, claims))).toBe(crypto);
    expect(problem(signToken(key, { ...claims, iss: "https://other" }))).toBeUndefined();
    expect(problem(`${head}.${payload}.${signature.replace(/^./, (first) => (first === "A" ? "B" : "A"))}`)).toBe(
      crypto,
    );
    expect(problem(`${none}.${payload}.${signature}`)).toBe(crypto);
    expect(problem(`${hmac}.${payload}.${signature}`)).toBe(crypto);
    expect(problem(signToken(key, { iss: "https://me", sub: "x" }))).toBe('serviceaccounts "" not found');
    for (const junk of ["", "x", "a.b.c", `${head}.${payload}.`, `${head}.${payload}`, '{"a":1}', "é.é.é"]) {
      expect(problem(junk)).toBeUndefined();
    }
  });
});

describe("keys", () => {
  it.each<[string, string, string]>([
    ["RSA", rsaPem, "RS256"],
    ["P-256", pem("P-256"), "ES256"],
    ["P-384", pem("P-384"), "ES384"],
    ["P-521", pem("P-521"), "ES512"],
  ])("of %s sign tokens that others can verify with what we publish", (_kind, text, algorithm) => {
    const own = readTokenKey(text);
    const [signed = "", signature = ""] = signToken(own, { iss: "x" }).split(/\.(?=[^.]*$)/);
    const { keys } = JSON.parse(openIdKeys([own])) as { keys: [{ kid: string; alg: string; use: string }] };
    expect(keys[0]).toMatchObject({ use: "sig", kid: own.id, alg: algorithm });
    expect(JSON.stringify(keys)).not.toContain('"d"');
    const published = createPublicKey({ key: keys[0], format: "jwk" });
    const verifier = createVerify(`sha${algorithm.slice(2)}`).update(signed);
    const asKey = { key: published, dsaEncoding: "ieee-p1363" } as const;
    expect(verifier.verify(asKey, Buffer.from(signature, "base64url"))).toBe(true);
    const options = { issuer: "https://me", keysUrl: "https://me/openid/v1/jwks", keys: [own] };
    expect(openIdConfiguration(options)).toBe(
      `{"issuer":"https://me","jwks_uri":"https://me/openid/v1/jwks","response_types_supported":["id_token"],"subject_types_supported":["public"],"id_token_signing_alg_values_supported":["${algorithm}"]}`,
    );
  });

  it("that cannot sign tokens are refused, without being shown", () => {
    const ed = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    for (const text of [ed, pem("secp256k1"), "", "-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----\n"]) {
      const error = refusalOf(() => readTokenKey(text));
      expect(hasErrorCode(error, "CREDENTIALS_UNUSABLE")).toBe(true);
      expect(String(error)).not.toContain("secret");
    }
  });
});
