import { canonicalText } from "./template-hash.ts";

/** Whether writing one in place of the other would change anything. The API server leaves zeros out that a controller counts. */
export function isSameStatus(left: object | undefined, right: object | undefined): boolean {
  return canonicalText(withoutZeros(left ?? {})) === canonicalText(withoutZeros(right ?? {}));
}

function withoutZeros(status: object): object {
  return Object.fromEntries(Object.entries(status).filter(([, value]) => value !== 0));
}
