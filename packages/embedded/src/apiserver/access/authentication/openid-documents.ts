import { publicJwk, type TokenKey } from "./token-key.ts";

export const openIdConfigurationPath = "/.well-known/openid-configuration";
export const openIdKeysPath = "/openid/v1/jwks";

/** What each of the two is sent with. */
export const openIdHeaders = {
  configuration: { "Content-Type": "application/json", "Cache-Control": "public, max-age=3600" },
  keys: { "Content-Type": "application/jwk-set+json", "Cache-Control": "public, max-age=3600" },
} as const;

export interface OpenIdOptions {
  readonly issuer: string;
  /** Where the keys can be got, from outside too. */
  readonly keysUrl: string;
  readonly keys: readonly TokenKey[];
}

/** By which others find out how to verify tokens of service accounts. */
export function openIdConfiguration({ issuer, keysUrl, keys }: OpenIdOptions): string {
  return JSON.stringify({
    issuer,
    jwks_uri: keysUrl,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [...new Set(keys.map(({ algorithm }) => algorithm))].toSorted(),
  });
}

export function openIdKeys(keys: readonly TokenKey[]): string {
  return JSON.stringify({ keys: keys.map(publicJwk) });
}
