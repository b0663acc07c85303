import { refusal } from "./refusal.ts";

export interface Page<T> {
  readonly entries: readonly T[];
  readonly nextToken: string;
}

const tokenPrefix = "after:";

/**
 * A page of what is ordered by id. The token names the last id that was given, so that it stays good when things come and go
 * between two pages.
 */
export function pageOf<T extends { readonly id: string }>(
  sorted: readonly T[],
  { startingToken, maxEntries }: { readonly startingToken: string; readonly maxEntries: number },
): Page<T> {
  const lastGiven = startAfter(startingToken);
  const rest = sorted.filter(({ id }) => id > lastGiven);
  const entries = maxEntries > 0 ? rest.slice(0, maxEntries) : rest;
  const last = entries.at(-1);
  return { entries, nextToken: last && entries.length < rest.length ? `${tokenPrefix}${last.id}` : "" };
}

function startAfter(token: string): string {
  if (token === "") return "";
  if (token.startsWith(tokenPrefix)) return token.slice(tokenPrefix.length);
  throw refusal("ABORTED", `The page token "${token}" is not one of this driver's.`, "Start again without a token.");
}
