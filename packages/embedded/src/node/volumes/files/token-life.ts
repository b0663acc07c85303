/** When a token was asked for and how long it is good for, as the server answered. */
export interface TokenLife {
  readonly expiresMs: number;
  readonly lifeSeconds: number;
}

const LONGEST_MS = 24 * 3600 * 1000;
const LAST_PART = 0.2;
/** Up to so much earlier, so that all Pods do not ask at once. */
export const RENEWAL_SPREAD_MS = 10_000;

/** When a new one is to be asked for: in the last fifth of its life, and after a day at the latest. `earlierMs`: of the spread. */
export function tokenRenewalMs({ expiresMs, lifeSeconds }: TokenLife, earlierMs: number): number {
  const lifeMs = lifeSeconds * 1000;
  return Math.min(expiresMs - lifeMs + LONGEST_MS, expiresMs - lifeMs * LAST_PART) - earlierMs;
}
