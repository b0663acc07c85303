import type { Secret, ServiceAccount } from "@stowage/machinery";
import { expect, test } from "vitest";
import { filledSecret, isOfAccount } from "./token-secret.ts";

const account: ServiceAccount = {
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: { name: "robot", namespace: "shop", uid: "u1" },
};
const secret: Secret = {
  apiVersion: "v1",
  kind: "Secret",
  type: "kubernetes.io/service-account-token",
  metadata: {
    name: "key",
    namespace: "shop",
    annotations: { "kubernetes.io/service-account.name": "robot", kept: "yes" },
  },
};
const issue = { rootCertificate: "PEM", sign: (claims: object) => JSON.stringify(claims) };
const text = (value: string | undefined) => Buffer.from(value ?? "", "base64").toString();

test("a Secret is filled with token, certificate and namespace, and names its account", () => {
  const filled = filledSecret(secret, account, issue);
  expect(filled?.metadata.annotations).toEqual({
    "kubernetes.io/service-account.name": "robot",
    "kubernetes.io/service-account.uid": "u1",
    kept: "yes",
  });
  expect(text(filled?.data?.["ca.crt"])).toBe("PEM");
  expect(text(filled?.data?.["namespace"])).toBe("shop");
  expect(Object.entries(JSON.parse(text(filled?.data?.["token"])) as object)).toEqual([
    ["iss", "kubernetes/serviceaccount"],
    ["kubernetes.io/serviceaccount/namespace", "shop"],
    ["kubernetes.io/serviceaccount/secret.name", "key"],
    ["kubernetes.io/serviceaccount/service-account.name", "robot"],
    ["kubernetes.io/serviceaccount/service-account.uid", "u1"],
    ["sub", "system:serviceaccount:shop:robot"],
  ]);
});

test("a token that is there stays, and a certificate that changed is replaced", () => {
  const filled = filledSecret(secret, account, issue) as Secret;
  expect(filledSecret(filled, account, issue)).toBeUndefined();
  const renewed = filledSecret(filled, account, { ...issue, rootCertificate: "NEW" });
  expect(text(renewed?.data?.["ca.crt"])).toBe("NEW");
  expect(renewed?.data?.["token"]).toBe(filled.data?.["token"]);
});

test("a Secret is of one account, not of another that has its name", () => {
  expect(isOfAccount(secret, account)).toBe(true);
  const filled = filledSecret(secret, account, issue) as Secret;
  expect(isOfAccount(filled, account)).toBe(true);
  expect(isOfAccount(filled, { ...account, metadata: { ...account.metadata, uid: "u2" } })).toBe(false);
  expect(isOfAccount(secret, { ...account, metadata: { ...account.metadata, name: "other" } })).toBe(false);
});
