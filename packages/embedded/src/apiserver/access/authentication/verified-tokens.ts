import type { ServiceAccountClaims } from "./service-account-claims.ts";

const most = 1024;

/**
 * Tokens whose signature was right, since checking one costs more than all else about a request. Only the signature is remembered:
 * times and objects are looked at each time.
 */
export class VerifiedTokens {
  readonly #claims = new Map<string, ServiceAccountClaims>();

  get(token: string): ServiceAccountClaims | undefined {
    return this.#claims.get(token);
  }

  set(token: string, claims: ServiceAccountClaims): void {
    if (this.#claims.has(token)) return;
    this.#claims.set(token, claims);
    const [oldest] = this.#claims.keys();
    if (this.#claims.size > most && oldest !== undefined) this.#claims.delete(oldest);
  }
}
