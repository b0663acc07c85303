import { timingSafeEqual } from "node:crypto";
import type { Store } from "../../store/index.ts";
import { listText } from "../authorization/rule-coverage.ts";
import { accountUserName } from "./service-account-claims.ts";
import { readCoreObject } from "./stored-object.ts";
import { type TokenAuthentication, unrecognised } from "./token-authentication.ts";
import { isSignedBy, parseToken, type TokenKey } from "./token-key.ts";

export interface SecretTokenDeps {
  readonly store: Store;
  readonly keys: readonly TokenKey[];
  /** Of the server itself: such tokens are good for these. */
  readonly audiences: readonly string[];
}

const ISSUER = "kubernetes/serviceaccount";
const PREFIX = "kubernetes.io/serviceaccount/";

interface SecretClaims {
  readonly namespace: string;
  readonly secretName: string;
  readonly accountName: string;
  readonly accountUid: string;
}

/** Recognises the tokens that are kept in Secrets. They never expire, and count for as long as the Secret has them. */
export class SecretTokens {
  readonly #deps: SecretTokenDeps;

  constructor(deps: SecretTokenDeps) {
    this.#deps = deps;
  }

  authenticate(token: string, wantedAudiences: readonly string[]): TokenAuthentication {
    const parsed = parseToken(token);
    if (parsed?.claims["iss"] !== ISSUER) return unrecognised();
    const keys = this.#deps.keys.filter(({ id }) => parsed.keyId === "" || parsed.keyId === id);
    if (keys.length === 0) return unrecognised("invalid signature, no keys found");
    if (!keys.some((key) => isSignedBy(parsed, key))) {
      return unrecognised("go-jose/go-jose: error in cryptographic primitive");
    }
    const audiences = wantedAudiences.filter((audience) => this.#deps.audiences.includes(audience));
    if (audiences.length === 0) {
      const target = `the target audiences ${listText(wantedAudiences)}`;
      return unrecognised(`token audiences ${listText(this.#deps.audiences)} is invalid for ${target}`);
    }
    const claims = readClaims(parsed.claims);
    const problem = typeof claims === "string" ? claims : this.#problem(claims, token);
    if (problem !== undefined || typeof claims === "string") return unrecognised(problem);
    const { namespace, accountName, accountUid } = claims;
    const groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
    const user = { name: accountUserName(namespace, accountName), uid: accountUid, groups };
    return { isRecognised: true, user, audiences };
  }

  #problem({ namespace, secretName, accountName, accountUid }: SecretClaims, token: string): string | undefined {
    const { store } = this.#deps;
    const secret = readCoreObject(store, { plural: "secrets", namespace, name: secretName });
    if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) return "Token has been invalidated";
    if (!isSame(Buffer.from(secret.data?.["token"] ?? "", "base64"), Buffer.from(token))) {
      return "Token does not match server's copy";
    }
    const account = readCoreObject(store, { plural: "serviceaccounts", namespace, name: accountName });
    if (account === undefined) return `serviceaccounts "${accountName}" not found`;
    const { deletionTimestamp, uid = "" } = account.metadata;
    if (deletionTimestamp !== undefined) return `ServiceAccount ${namespace}/${accountName} has been deleted`;
    return uid === accountUid ? undefined : `ServiceAccount UID (${uid}) does not match claim (${accountUid})`;
  }
}

/** The claims, or what is wrong with them. */
function readClaims(claims: Readonly<Record<string, unknown>>): SecretClaims | string {
  const text = (name: string) => {
    const value = claims[name];
    return typeof value === "string" ? value : "";
  };
  const [namespace, secretName] = [text(`${PREFIX}namespace`), text(`${PREFIX}secret.name`)];
  const [accountName, accountUid] = [text(`${PREFIX}service-account.name`), text(`${PREFIX}service-account.uid`)];
  const needed = {
    sub: text("sub"),
    namespace,
    secretName,
    serviceAccountName: accountName,
    serviceAccountUID: accountUid,
  };
  const missing = Object.entries(needed).find(([, value]) => value === "");
  if (missing !== undefined) return `${missing[0]} claim is missing`;
  if (text("sub") !== accountUserName(namespace, accountName)) return "sub claim is invalid";
  return { namespace, secretName, accountName, accountUid };
}

function isSame(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
