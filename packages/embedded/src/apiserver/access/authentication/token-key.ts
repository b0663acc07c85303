import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { StowageError } from "@stowage/machinery";

export type TokenAlgorithm = "RS256" | "ES256" | "ES384" | "ES512";

const curveAlgorithms: Readonly<Record<string, TokenAlgorithm>> = {
  prime256v1: "ES256",
  secp384r1: "ES384",
  secp521r1: "ES512",
};

/** What tokens are verified with, and signed when it is private. */
export interface TokenKey {
  /** Derived from the public key in a way that gives nothing of it away. */
  readonly id: string;
  readonly algorithm: TokenAlgorithm;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject | undefined;
}

/** From PEM, private or public. */
export function readTokenKey(pem: string): TokenKey {
  const isPrivate = pem.includes("PRIVATE KEY-----");
  try {
    const privateKey = isPrivate ? createPrivateKey(pem) : undefined;
    const publicKey = createPublicKey(privateKey ?? pem);
    const der = publicKey.export({ type: "spki", format: "der" });
    const id = createHash("sha256").update(der).digest("base64url");
    return { id, algorithm: algorithmOf(publicKey), publicKey, privateKey };
  } catch (error) {
    if (error instanceof StowageError) throw error;
    // What crypto says names the reason and not the key.
    throw new StowageError("CREDENTIALS_UNUSABLE", "The key of service account tokens cannot be read", {
      cause: error,
    });
  }
}

function algorithmOf(key: KeyObject): TokenAlgorithm {
  if (key.asymmetricKeyType === "rsa") return "RS256";
  const curve = key.asymmetricKeyType === "ec" ? key.asymmetricKeyDetails?.namedCurve : undefined;
  const algorithm = curveAlgorithms[curve ?? ""];
  if (algorithm !== undefined) return algorithm;
  const given = curve ?? key.asymmetricKeyType;
  throw new StowageError("CREDENTIALS_UNUSABLE", `Service account tokens cannot be signed by a key of type ${given}`);
}

/** Claims in the order of their names, as every token of Kubernetes has them. */
export function signToken({ id, algorithm, privateKey }: TokenKey, claims: object): string {
  if (privateKey === undefined) {
    throw new StowageError("CREDENTIALS_UNUSABLE", "Service account tokens cannot be signed by a public key");
  }
  const signed = `${encoded({ alg: algorithm, kid: id })}.${encoded(claims)}`;
  const key = { key: privateKey, dsaEncoding: "ieee-p1363" } as const;
  return `${signed}.${sign(hashOf(algorithm), Buffer.from(signed), key).toString("base64url")}`;
}

/** A token taken apart, of which nothing is believed yet. */
export interface ParsedToken {
  readonly signed: string;
  readonly signature: Buffer;
  readonly algorithm: string;
  readonly keyId: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Undefined when it is no token of this form. */
export function parseToken(token: string): ParsedToken | undefined {
  const parts = token.split(".");
  if (parts.length !== 3 || !parts.every((part) => /^[\w-]+$/.test(part))) return undefined;
  const [head = "", payload = "", signature = ""] = parts;
  const header = decodedObject(head);
  const claims = decodedObject(payload);
  if (header === undefined || claims === undefined) return undefined;
  const { alg, kid } = header;
  return {
    signed: `${head}.${payload}`,
    signature: Buffer.from(signature, "base64url"),
    algorithm: typeof alg === "string" ? alg : "",
    keyId: typeof kid === "string" ? kid : "",
    claims,
  };
}

/** The algorithm is the key's: a token cannot choose a weaker one. */
export function isSignedBy({ signed, signature, algorithm }: ParsedToken, key: TokenKey): boolean {
  if (algorithm !== key.algorithm) return false;
  return verify(
    hashOf(key.algorithm),
    Buffer.from(signed),
    { key: key.publicKey, dsaEncoding: "ieee-p1363" },
    signature,
  );
}

/** The public half, for whoever verifies tokens elsewhere. */
export function publicJwk({ id, algorithm, publicKey }: TokenKey): JsonWebKey {
  const { kty, crv, x, y, n, e } = publicKey.export({ format: "jwk" });
  const rest = kty === "EC" ? { crv, alg: algorithm, x, y } : { alg: algorithm, n, e };
  return { use: "sig", kty, kid: id, ...rest };
}

function hashOf(algorithm: TokenAlgorithm): string {
  return `sha${algorithm.slice(2)}`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function decodedObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    // No JSON, so no token of ours; another way of recognising it may know better.
    return undefined;
  }
}
